import type { ModelRequest } from '../../comp/6-agent/test/agent/support/model-server.js'

/** What is wrong with a conversation as the server got it: a call without its answer, roles out of turn. */
export function problemsOf({ messages }: ModelRequest): string[] {
  const problems: string[] = []
  const open = new Set<string>()
  const seen = new Set<string>()
  for (const [at, message] of messages.entries()) {
    const before = messages[at - 1]?.role
    const problem = (what: string): void => void problems.push(`message ${at} (${message.role}): ${what}`)
    if (message.role === 'system' && at > 0) problem('a system prompt that does not come first')
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id ?? '')) problem(`answers no call: ${message.tool_call_id}`)
    } else if (open.size > 0) problem(`comes before ${[...open].join(', ')} was answered`)
    if (message.role === before && message.role !== 'tool') problem('follows one of the same role')
    if ((message.content ?? '') === '' && (message.tool_calls ?? []).length === 0) problem('is empty')
    for (const { id } of (message.tool_calls ?? []) as { id: string }[]) {
      if (seen.has(id)) problem(`has an id a second time: ${id}`)
      seen.add(id)
      open.add(id)
    }
  }
  const last = messages.at(-1)?.role
  if (last !== 'user' && last !== 'tool') problems.push(`the last message is of ${last}`)
  if (open.size > 0) problems.push(`at its end ${[...open].join(', ')} was not answered`)
  return problems
}

/** All that the model is told in a request, but for the system prompt and its own words. */
export function toldIn(request: ModelRequest | undefined): string {
  return (request?.messages ?? []).filter(({ role }) => role === 'user' || role === 'tool')
    .map(({ content }) => content ?? '').join('\n')
}

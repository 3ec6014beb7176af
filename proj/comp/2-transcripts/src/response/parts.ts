import type { ResponsePart, ServedPart, UnreadPart } from '../../../0-contracts/src/index.js'

/** Collects the parts of one message; consecutive texts are joined, as all SDKs do. */
export class PartList {
  readonly parts: ResponsePart[] = []

  text(text: string | undefined): void {
    if (text === undefined || text === '') return
    const last = this.parts.at(-1)
    if (last?.type === 'text') last.text += text
    else this.parts.push({ type: 'text', text })
  }

  thought(text: string | undefined): void {
    if (text !== undefined && text !== '') this.parts.push({ type: 'thought', text })
  }

  /**
   * @param what its kind, for the message about a call without a name
   * @param source the call as it stands in the response
   */
  call(what: string, source: unknown, name: unknown, args: unknown, id?: string): void {
    if (typeof name !== 'string' || name === '') this.unread(namelessCall(what, source, id))
    else this.parts.push({ type: 'call', ...idOf(id), name, arguments: args ?? {} })
  }

  unread(part: UnreadPart | ServedPart): void {
    this.parts.push(part)
  }
}

export function idOf(id: string | undefined): { id?: string } {
  return id === undefined || id === '' ? {} : { id }
}

/** A call of an unknown kind, or one that this machine must not run. */
export function unreadCall(
  name: string, source: unknown, { id, why }: { id?: string | undefined; why?: string } = {},
): UnreadPart {
  return {
    type: 'unread', ...idOf(id), name, code: 'NOT_READ', source,
    problem: why ?? `A call of the kind '${name}' is not read`,
    hint: 'Ask for it by a function call of one of the verbs, or leave it out of the response.',
  }
}

/** A call that does not have the form of its API. */
export function malformedCall(what: string, source: unknown, id?: string): UnreadPart {
  return {
    type: 'unread', ...idOf(id), name: what, code: 'NOT_READ', source, problem: `The ${what} does not have its form`,
    hint: 'Save the response as its interface gave it.',
  }
}

/** A call without a name, which makes the record invalid. */
function namelessCall(what: string, source: unknown, id?: string): UnreadPart {
  return { ...malformedCall('', source, id), problem: `A ${what} has no name` }
}

/** Calls that OpenAI and Anthropic run themselves, also on remote servers. */
const OF_SERVICE = new Set([
  'web_search_call', 'file_search_call', 'code_interpreter_call', 'image_generation_call', 'mcp_call',
  'tool_search_call', 'server_tool_use', 'mcp_tool_use', 'server_tool_call',
])

/** Whether the service runs a call of this kind itself; one left to the client says so. */
export function isOfService(type: string, call: Record<string, unknown>): boolean {
  return OF_SERVICE.has(type) && call['execution'] !== 'client'
}

/** A call that the service has run. */
export function serviceCall(name: string, source: unknown, id?: string): ServedPart {
  return { type: 'served', ...idOf(id), name, source }
}

/** The response was cut off in its last part: a call there may be incomplete, and never runs. */
export function withoutLastCall(parts: readonly ResponsePart[]): ResponsePart[] {
  const last = parts.at(-1)
  if (last?.type !== 'call') return [...parts]
  const { id, name } = last
  return [...parts.slice(0, -1), {
    type: 'unread', ...idOf(id), name, code: 'UNCLOSED_BLOCK', source: last.arguments,
    problem: `Not run: the response broke off in this call of ${name}`,
    hint: 'Send the call again, whole. Where it was too long for one response, do it in several calls.',
  }]
}

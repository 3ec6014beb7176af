import { badName, halves, type Body, type Turn, type Wire } from './wire.js'

interface Message {
  role: string
  tool_calls?: { id: string }[]
  tool_call_id?: string
  content?: unknown
}

/** OpenAI's chat completions. */
export const chatWire: Wire = {
  problem(body) {
    const tools = body.tools as { type: string; function: { name: string } }[]
    return badName(tools.map((tool) => tool.function.name)) ?? unanswered(messagesOf(body))
  },
  turns: (body) => messagesOf(body).filter(({ role }) => role === 'assistant').length,
  whole: (turn) => ({
    ...HEAD, object: 'chat.completion', usage: USAGE,
    choices: [{
      index: 0, finish_reason: finish(turn), logprobs: null,
      message: { role: 'assistant', content: turn.text ?? null, refusal: null, ...(turn.calls && { tool_calls: turn.calls.map(callOf) }) },
    }],
  }),
  stream(turn) {
    const text = turn.text === undefined ? [] : halves(turn.text).map((content) => chunk({ content }))
    const calls = (turn.calls ?? []).flatMap((call, index) => {
      const [first, second] = halves(call.arguments)
      const { id, type, function: { name } } = callOf(call)
      return [
        chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
        ...[first, second].map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ]
    })
    return [chunk({ role: 'assistant', content: null }), ...text, ...calls, chunk({}, finish(turn)), 'data: [DONE]\n\n']
  },
}

const HEAD = { id: 'chatcmpl-1', created: 1, model: 'test' }
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }

function messagesOf(body: Body): Message[] {
  return body.messages as unknown as Message[]
}

function finish({ calls, isCut }: Turn): string {
  if (isCut) return 'length'
  return calls ? 'tool_calls' : 'stop'
}

function callOf({ id, name, arguments: args }: { id: string; name: string; arguments: string }) {
  return { id, type: 'function', function: { name, arguments: args } }
}

function chunk(delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason, logprobs: null }]
  return `data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices })}\n\n`
}

/** "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'." */
function unanswered(messages: readonly Message[]): string | undefined {
  for (const [at, { tool_calls: calls = [] }] of messages.entries()) {
    const next = messages.findIndex(({ role }, index) => index > at && role !== 'tool')
    const answers = messages.slice(at + 1, next === -1 ? messages.length : next)
    const given = answers.map((each) => each.tool_call_id)
    if (calls.length > 0 && JSON.stringify(given) !== JSON.stringify(calls.map(({ id }) => id))) {
      return `Calls ${JSON.stringify(calls.map(({ id }) => id))} have answers ${JSON.stringify(given)}`
    }
  }
  return undefined
}

import { badName, halves, type Body, type Turn, type Wire } from './wire.js'

interface Message {
  role: string
  content: string | { type: string; id?: string; tool_use_id?: string; signature?: string; thinking?: string }[]
}

/** Anthropic's messages. */
export const anthropicWire: Wire = {
  problem(body) {
    const tools = (body.tools ?? []) as { name: string; input_schema: { type?: string } }[]
    if (tools.some(({ input_schema: schema }) => schema.type !== 'object')) return 'input_schema.type: must be object'
    return badName(tools.map(({ name }) => name)) ?? unanswered(messagesOf(body)) ?? unsigned(messagesOf(body))
  },
  turns: (body) => messagesOf(body).filter(({ role }) => role === 'assistant').length,
  whole: (turn) => ({ ...HEAD, content: contentOf(turn), stop_reason: stopReason(turn), stop_sequence: null, usage: USAGE }),
  stream: (turn) => [
    event({ type: 'message_start', message: { ...HEAD, content: [], stop_reason: null, stop_sequence: null, usage: USAGE } }),
    ...thinking(turn),
    ...(turn.text === undefined ? [] : block(first(turn), { type: 'text', text: '' }, halves(turn.text).map((text) => ({ type: 'text_delta', text })))),
    ...(turn.calls ?? []).flatMap(({ id, name, arguments: args }, index) => block(
      index + first(turn) + (turn.text === undefined ? 0 : 1), { type: 'tool_use', id, name, input: {} },
      halves(args).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    )),
    event({ type: 'message_delta', delta: { stop_reason: stopReason(turn), stop_sequence: null }, usage: USAGE }),
    event({ type: 'message_stop' }),
  ],
}

const HEAD = { id: 'msg_1', type: 'message', role: 'assistant', model: 'test' }
const USAGE = { input_tokens: 1, output_tokens: 1 }

function messagesOf(body: Body): Message[] {
  return body.messages as unknown as Message[]
}

function stopReason({ calls, isCut }: Turn): string {
  if (isCut) return 'max_tokens'
  return calls ? 'tool_use' : 'end_turn'
}

function first({ thought }: Turn): number {
  return thought === undefined ? 0 : 1
}

function thinking({ thought }: Turn): string[] {
  if (thought === undefined) return []
  const deltas = halves(thought).map((piece) => ({ type: 'thinking_delta', thinking: piece }))
  const signature = { type: 'signature_delta', signature: signatureOf(thought) }
  return block(0, { type: 'thinking', thinking: '', signature: '' }, [...deltas, signature])
}

function signatureOf(thought: string): string {
  return Buffer.from(thought).toString('base64')
}

function contentOf({ thought, text, calls = [] }: Turn): object[] {
  const said = text === undefined ? [] : [{ type: 'text', text, citations: null }]
  const thoughts = thought === undefined ? [] : [{ type: 'thinking', thinking: thought, signature: signatureOf(thought) }]
  return [...thoughts, ...said, ...calls.map(({ id, name, arguments: args }) => ({ type: 'tool_use', id, name, input: JSON.parse(args) as unknown }))]
}

function block(index: number, start: object, deltas: object[]): string[] {
  return [
    event({ type: 'content_block_start', index, content_block: start }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
    event({ type: 'content_block_stop', index }),
  ]
}

function event(data: { type: string; [field: string]: unknown }): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** "Invalid `signature` in `thinking` block." */
function unsigned(messages: readonly Message[]): string | undefined {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  const wrong = blocks.find(({ type, thinking: thought = '', signature }) => type === 'thinking' && signature !== signatureOf(thought))
  return wrong && 'Invalid `signature` in `thinking` block'
}

/** "`tool_use` ids were found without `tool_result` blocks immediately after." */
function unanswered(messages: readonly Message[]): string | undefined {
  for (const [at, { role, content }] of messages.entries()) {
    const uses = role === 'assistant' && typeof content !== 'string' ? content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])) : []
    const next = messages[at + 1]?.content ?? ''
    const results = typeof next === 'string' ? [] : next.flatMap((each) => (each.type === 'tool_result' ? [each.tool_use_id] : []))
    if (uses.length > 0 && JSON.stringify(uses) !== JSON.stringify(results)) return `Calls ${uses.join()} have answers ${results.join()}`
  }
  return undefined
}

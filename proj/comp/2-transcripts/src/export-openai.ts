import { responseText, type ExportTurn } from './export-steps.js'

/** Writes OpenAI's chat messages; results of blocks in a text become the next user message. */
export function toOpenAi(turns: readonly ExportTurn[], tools: unknown): object {
  return { messages: turns.flatMap(messagesOf), tools }
}

function messagesOf(turn: ExportTurn): object[] {
  switch (turn.role) {
    case 'system':
    case 'user': return [{ role: turn.role, content: turn.text }]
    case 'results': return [
      ...turn.ofCalls.map(({ callId, text }) => ({ role: 'tool', tool_call_id: callId, content: text })),
      ...(turn.ofBlocks.length === 0 ? [] : [{ role: 'user', content: responseText(turn.ofBlocks) }]),
    ]
    case 'assistant': return [{
      role: 'assistant',
      content: turn.text === '' ? null : turn.text,
      ...(turn.reasoning !== '' && { reasoning: turn.reasoning }),
      ...(turn.calls.length > 0 && {
        tool_calls: turn.calls.map(({ id, name, arguments: args }) => ({
          id, type: 'function', function: { name, arguments: argumentsText(args) },
        })),
      }),
    }]
  }
}

/** Writes items of OpenAI's Responses. */
export function toResponses(turns: readonly ExportTurn[], tools: unknown): object {
  return { items: turns.flatMap(itemsOf), tools }
}

function itemsOf(turn: ExportTurn): object[] {
  switch (turn.role) {
    case 'system':
    case 'user': return [{ type: 'message', role: turn.role, content: [{ type: 'input_text', text: turn.text }] }]
    case 'results': return [
      ...turn.ofCalls.map(({ callId, text }) => ({ type: 'function_call_output', call_id: callId, output: text })),
      ...(turn.ofBlocks.length === 0 ? [] : [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: responseText(turn.ofBlocks) }] },
      ]),
    ]
    case 'assistant': return [
      ...(turn.reasoning === '' ? []
        : [{ type: 'reasoning', summary: [{ type: 'summary_text', text: turn.reasoning }] }]),
      ...(turn.text === '' ? []
        : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: turn.text }] }]),
      ...turn.calls.map(({ id, name, arguments: args }) => ({
        type: 'function_call', call_id: id, name, arguments: argumentsText(args),
      })),
    ]
  }
}

function argumentsText(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args)
}

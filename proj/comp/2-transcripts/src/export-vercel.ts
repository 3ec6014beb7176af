import { responseText, type ExportTurn } from './export-steps.js'

/** Writes messages for models of Vercel's AI SDK. */
export function toVercel(turns: readonly ExportTurn[], tools: unknown): object {
  const names = new Map(
    turns.flatMap((turn) => (turn.role === 'assistant' ? turn.calls.map(({ id, name }) => [id, name] as const) : [])),
  )
  return { messages: turns.flatMap((turn) => messagesOf(turn, names)), tools }
}

function messagesOf(turn: ExportTurn, names: ReadonlyMap<string, string>): object[] {
  switch (turn.role) {
    case 'system': return [{ role: 'system', content: turn.text }]
    case 'user': return [{ role: 'user', content: [{ type: 'text', text: turn.text }] }]
    case 'results': return [
      ...(turn.ofCalls.length === 0 ? [] : [{
        role: 'tool',
        content: turn.ofCalls.map(({ callId, text, outcome, isError }) => ({
          type: 'tool-result', toolCallId: callId, toolName: names.get(callId) ?? '',
          output: { type: `${isError === true ? 'error-' : ''}${outcome ? 'json' : 'text'}`, value: outcome ?? text },
        })),
      }]),
      ...(turn.ofBlocks.length === 0 ? []
        : [{ role: 'user', content: [{ type: 'text', text: responseText(turn.ofBlocks) }] }]),
    ]
    case 'assistant': return [{
      role: 'assistant',
      content: [
        ...(turn.reasoning === '' ? [] : [{ type: 'reasoning', text: turn.reasoning }]),
        ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]),
        ...turn.calls.map(
          ({ id, name, arguments: input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input }),
        ),
      ],
    }]
  }
}

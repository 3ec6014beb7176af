import { responseText, type ExportTurn } from './export-steps.js'

/** Anthropic's messages; results of blocks in a text stand in the user's text. */
export function toAnthropic(turns: readonly ExportTurn[], tools: unknown): object {
  const system = turns.flatMap((turn) => (turn.role === 'system' ? [turn.text] : [])).join('\n\n')
  return { ...(system !== '' && { system }), messages: turns.flatMap(messagesOf), tools }
}

function messagesOf(turn: ExportTurn): object[] {
  switch (turn.role) {
    case 'system': return []
    case 'user': return [{ role: 'user', content: turn.text }]
    case 'results': {
      const content = [
        ...turn.ofCalls.map(({ callId, text, isError }) => (
          { type: 'tool_result', tool_use_id: callId, content: text, is_error: isError }
        )),
        ...(turn.ofBlocks.length === 0 ? [] : [{ type: 'text', text: responseText(turn.ofBlocks) }]),
      ]
      return content.length === 0 ? [] : [{ role: 'user', content }]
    }
    case 'assistant': return [{
      role: 'assistant',
      content: [
        ...(turn.reasoning === '' ? [] : [{ type: 'thinking', thinking: turn.reasoning }]),
        ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]),
        ...turn.calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input })),
      ],
    }]
  }
}

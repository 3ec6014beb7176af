import { parse } from '../../1-reading/src/index.js'
import { responseText, type ExportTurn } from './export-steps.js'
import type { RecordedCall } from './transcript-model.js'

interface Said {
  from: 'system' | 'human' | 'gpt' | 'tool'
  value: string
}

/** Writes ShareGPT: thoughts, calls and responses in tags, the tools in the system turn. */
export function toShareGpt(turns: readonly ExportTurn[], tools: unknown): object {
  const said = turns.flatMap(saidBy)
  if (tools !== undefined) {
    const section = `<tools>\n${typeof tools === 'string' ? tools : JSON.stringify(tools)}\n</tools>`
    const [first] = said
    if (first?.from !== 'system') said.unshift({ from: 'system', value: section })
    else if (!first.value.includes('<tools>')) first.value = `${first.value}\n${section}`
  }
  return { conversations: said }
}

function saidBy(turn: ExportTurn): Said[] {
  if (turn.role === 'results') return turn.all.length === 0 ? [] : [{ from: 'tool', value: responseText(turn.all) }]
  if (turn.role !== 'assistant') return [{ from: turn.role === 'system' ? 'system' : 'human', value: turn.text }]
  const thought = turn.reasoning === '' ? ''
    : `<think>\n${turn.reasoning.replaceAll(/<(?=\/?think)/g, '‹')}\n</think>\n`
  const calls = turn.calls.map(callTag).join('\n')
  if (turn.text === '' || calls === '') return [{ from: 'gpt', value: `${thought}${turn.text}${calls}` }]
  const together = `${thought}${turn.text}\n\n${calls}`
  // If the text leaves a fence or section open, calls behind it would be quoted.
  const isLive = parse(together).totalBlocks === parse(turn.text).totalBlocks + turn.calls.length
  return isLive ? [{ from: 'gpt', value: together }]
    : [{ from: 'gpt', value: `${thought}${turn.text}` }, { from: 'gpt', value: calls }]
}

function callTag({ id, name, arguments: args }: RecordedCall): string {
  const named = id === undefined || /^call_\d+$/.test(id) ? {} : { id }
  return `<tool_call>\n${JSON.stringify({ ...named, name, arguments: args })}\n</tool_call>`
}

import { parse } from '../../1-reading/src/index.js'
import type { RecordedCall, RecordedResult, Transcript } from './transcript-model.js'
import { tagSafe } from './recorded-results.js'
import { matchResults, type Asked } from './steps.js'

const OPEN = '<tool_response>'
const CLOSE = '</tool_response>'

export interface ExportCall extends RecordedCall {
  id: string
}

export interface ExportSpeech {
  role: 'assistant'
  reasoning: string
  text: string
  calls: ExportCall[]
}

export interface ExportResults {
  role: 'results'
  /** One for each block and call of the step, in order; empty where nothing was recorded. */
  all: RecordedResult[]
  /** Results of blocks in the texts. */
  ofBlocks: RecordedResult[]
  /** Results of calls, where recorded. */
  ofCalls: (RecordedResult & { callId: string })[]
}

/** A turn for writers: calls have ids, and results are matched to calls and blocks. */
export type ExportTurn = { role: 'system' | 'user'; text: string } | ExportSpeech | ExportResults

/** A call or block that awaits its result: the recorded id, and the one to write. */
interface Open extends Asked {
  id: string
}

/** The turns of a transcript in the form for writers. */
export function exportTurns({ turns, settings }: Transcript): ExportTurn[] {
  const taken = new Set<string>()
  let open: Open[] = []
  return turns.map((turn): ExportTurn => {
    if (turn.role === 'assistant') {
      const calls = turn.calls.map((call) => ({ ...call, id: freshId(call.id, taken) }))
      const { editFormats = [] } = turn.settings ?? settings ?? {}
      const { totalBlocks } = parse(turn.text, { editFormats })
      open.push(...Array.from({ length: totalBlocks }, () => ({ isCall: false, id: '' })))
      open.push(...calls.map(({ id, byService = false }, index) => (
        { isCall: true, callId: turn.calls[index]?.id, id, byService }
      )))
      return { ...turn, calls: calls.filter(({ byService }) => byService !== true) }
    }
    const asked = open
    open = []
    return turn.role === 'results' ? sorted(asked, turn.results) : turn
  })
}

/** The recorded id, or a new one where it is missing or taken. */
function freshId(id: string | undefined, taken: Set<string>): string {
  let fresh = id ?? `call_${taken.size + 1}`
  for (let number = 2; taken.has(fresh); number++) fresh = `${id ?? 'call'}_${number}`
  taken.add(fresh)
  return fresh
}

function sorted(asked: readonly Open[], results: readonly RecordedResult[]): ExportResults {
  const matched = matchResults(asked, results)
  // Calls run by the service are not written, since nobody answers them.
  const written = asked.map((each, index) => ({ ...each, result: matched[index] }))
    .filter(({ byService }) => byService !== true)
  const all = written.map(({ result = { text: '' } }) => result)
  return {
    role: 'results',
    all,
    ofBlocks: all.filter((_, index) => written[index]?.isCall === false),
    ofCalls: written.flatMap(({ isCall, id, result }) => (isCall && result ? [{ ...result, callId: id }] : [])),
  }
}

/** Results as `<tool_response>` sections, where a format or text has no other place for them. */
export function responseText(results: readonly RecordedResult[]): string {
  return results.map(({ text }) => `${OPEN}\n${tagSafe(text)}\n${CLOSE}`).join('\n')
}

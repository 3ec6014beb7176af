import type { ExecutionResult } from '../../0-contracts/src/index.js'
import { openAiTool } from '../../1-registry/src/index.js'
import { withCalls, type CallRules } from './as-calls.js'
import { exportTranscript, type ExportFormat } from './export-transcript.js'
import type { Transcript, Turn } from './transcript-model.js'
import { blockOutcomes, recordedOutcome } from './block-outcomes.js'

/** A run as a transcript of one turn. */
export function transcriptOfRun(
  text: string, { results, parseErrors }: ExecutionResult, place: Pick<Transcript, 'root' | 'rootAliases' | 'settings'>,
): Transcript {
  const recorded = blockOutcomes(results, parseErrors).map(recordedOutcome)
  const turns: Turn[] = [{ role: 'assistant', reasoning: '', text, calls: [] }]
  if (recorded.length > 0) turns.push({ role: 'results', results: recorded })
  return { file: '', line: undefined, name: '', format: 'hermes', turns, ...place }
}

/**
 * A transcript as a line of training data: its blocks as calls, where they can be, and the definitions of the tools,
 * those it was recorded with or else of the verbs it calls.
 */
export async function trajectoryLine(
  transcript: Transcript, format: ExportFormat, callRules: CallRules,
): Promise<string> {
  const called = await withCalls(transcript, callRules)
  const names = new Set(
    called.turns.flatMap((turn) => (turn.role === 'assistant' ? turn.calls.map(({ name }) => name) : [])),
  )
  const verbs = await Promise.all([...names].map((name) => callRules.registry.load(name)))
  // The calls keep the names of the verbs, dots and all, so that a replay finds them.
  const tools = verbs.flatMap((verb) => {
    if (!verb) return []
    const { type, function: definition } = openAiTool(verb)
    return [{ type, function: { ...definition, name: verb.name } }]
  })
  return exportTranscript(called.tools !== undefined || tools.length === 0 ? called : { ...called, tools }, format)
}

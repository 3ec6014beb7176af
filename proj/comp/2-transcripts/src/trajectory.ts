import type { ExecutionResult } from '../../0-contracts/src/index.js'
import { openAiTool } from '../../1-registry/src/index.js'
import { withCalls, type CallRules } from './as-calls.js'
import { exportTranscript, type ExportFormat } from './export-transcript.js'
import type { AssistantTurn, Transcript, Turn } from './transcript-model.js'
import { blockOutcomes, recordedOutcome } from './block-outcomes.js'
import { readConversation } from './detect.js'
import { modelTexts, rewrittenAnswer, type PreparedText, type SavedRewrites } from './rewritten/index.js'

/** A run as a transcript with one turn. */
export function transcriptOfRun(
  { text, prepared }: { text: string; prepared?: PreparedText | undefined }, { results, parseErrors }: ExecutionResult,
  place: Pick<Transcript, 'root' | 'rootAliases' | 'settings'>,
): Transcript {
  const recorded = blockOutcomes(results, parseErrors).map(recordedOutcome)
  const rewritten = prepared && rewrittenAnswer(prepared, text)
  const turns: Turn[] = [{ role: 'assistant', reasoning: '', text, calls: [], ...(rewritten && { rewritten }) }]
  if (recorded.length > 0) turns.push({ role: 'results', results: recorded })
  return { file: '', line: undefined, name: '', format: 'hermes', turns, ...place }
}

/**
 * Writes a transcript as a line of training data: blocks as calls, where possible, and the definitions of the tools,
 * recorded ones or else those of the called verbs.
 */
export async function trajectoryLine(
  transcript: Transcript, format: ExportFormat, callRules: CallRules,
): Promise<string> {
  const { transcript: said, saved } = await modelTexts(transcript)
  const called = await withCalls(said, callRules)
  const names = new Set(
    called.turns.flatMap((turn) => (turn.role === 'assistant' ? turn.calls.map(({ name }) => name) : [])),
  )
  const verbs = await Promise.all([...names].map((name) => callRules.registry.load(name)))
  // Calls keep the names of verbs, with dots, so that a replay finds them.
  const tools = verbs.flatMap((verb) => {
    if (!verb) return []
    const { type, function: definition } = openAiTool(verb)
    return [{ type, function: { ...definition, name: verb.name } }]
  })
  return exportTranscript(
    called.tools !== undefined || tools.length === 0 ? called : { ...called, tools }, format,
    numbered({ said, called }, format, saved),
  )
}

/** Numbers the rewrites by turns as they will be read: a writer may merge or split turns. */
function numbered(
  { said, called }: { said: Transcript; called: Transcript }, format: ExportFormat,
  saved: ReadonlyMap<number, SavedRewrites>,
): SavedRewrites[] {
  if (saved.size === 0) return []
  const own = said.turns.filter((turn) => turn.role === 'assistant')
  const { tools: _, ...withoutTools } = called
  const numbers = readNumbers(withoutTools, format)
  return [...saved].map(([number, entry]) => {
    const turn = numbers[number - 1]
    // Calls beside the text were not visible to extensions.
    return { ...(turn !== undefined && own[number - 1]?.calls.length === 0 && { turn }), ...entry }
  })
}

/** For each turn of the assistant, its 1-based number when read again; `undefined` where it is no turn then. */
function readNumbers(transcript: Transcript, format: ExportFormat): (number | undefined)[] {
  const numbers: (number | undefined)[] = []
  let before = 0
  for (const row of assistantRows(transcript.turns)) {
    const counts = row.map((turn) => writtenTurns({ ...transcript, turns: [turn] }, format))
    const together = row.length === 1 ? counts[0] ?? 0 : writtenTurns({ ...transcript, turns: row }, format)
    const isApart = counts.reduce((sum, count) => sum + count, 0) === together
    let at = before
    for (const count of counts) {
      numbers.push(isApart && count === 1 ? at + 1 : undefined)
      at += count
    }
    before += together
  }
  return before === writtenTurns(transcript, format) ? numbers : []
}

/** Groups of consecutive assistant turns. */
function assistantRows(turns: readonly Turn[]): AssistantTurn[][] {
  const rows: AssistantTurn[][] = []
  for (const [index, turn] of turns.entries()) {
    if (turn.role !== 'assistant') continue
    if (turns[index - 1]?.role === 'assistant') rows.at(-1)?.push(turn)
    else rows.push([turn])
  }
  return rows
}

/** Number of assistant turns of a transcript after writing and reading it. */
function writtenTurns(transcript: Transcript, format: ExportFormat): number {
  const { turns } = readConversation(JSON.parse(exportTranscript(transcript, format)), format)
  return turns.filter(({ role }) => role === 'assistant').length
}

import { isRecord } from '../../../0-contracts/src/index.js'
import { listOf, textOf } from '../fields.js'
import { recordedResult } from '../recorded-results.js'
import type {
  AssistantTurn, Conversation, RecordedResult, RewrittenAnswer, Transcript,
} from '../transcript-model.js'
import { changeTurns, type ChangedTurn } from './change-turns.js'
import { isExact, recordedRewrite } from './exact.js'

/** How extensions changed one answer, stored beside a conversation with the model's own texts. */
export interface SavedRewrites extends RewrittenAnswer {
  /** 1-based number of the assistant's turn; absent where unknown. */
  turn?: number
  /** The text that ran. */
  text: string
  /** Results of the text that ran, if the conversation does not have them all in order. */
  results?: readonly string[]
}

/**
 * A transcript with the answers as the model wrote them, and the results that belong to them.
 *
 * @returns also the rewrites, by number of the assistant's turn
 */
export async function modelTexts(
  transcript: Transcript,
): Promise<{ transcript: Transcript; saved: ReadonlyMap<number, SavedRewrites> }> {
  const saved = new Map<number, SavedRewrites>()
  const turns = await changeTurns(transcript, (turn, number): ChangedTurn | undefined => {
    const { text, rewritten } = turn
    if (!rewritten) return undefined
    const { original, by } = rewritten
    const isInexact = rewritten.inexact === true || !isExact({ text, rewritten })
    const entry = { original, text, ...(isInexact && { inexact: true as const }), by }
    saved.set(number, entry)
    return {
      turn: { ...turn, text: original },
      told(results, areKept) {
        if (!areKept) saved.set(number, { ...entry, results: results.map((result) => result?.text ?? '') })
      },
    }
  })
  return { transcript: { ...transcript, turns }, saved }
}

/** Restores a conversation as it ran, from the rewrites that the record stores beside it (`hermes.rewrites`). */
export async function withSavedRewrites(conversation: Conversation, record: unknown): Promise<Conversation> {
  const place = isRecord(record) ? record['hermes'] : undefined
  const rewrites = isRecord(place) ? listOf(place['rewrites']) : []
  if (rewrites.length === 0) return conversation
  const changes = new Map(rewrites.flatMap((rewrite, index) => {
    const change = isRecord(rewrite) ? changeIn(rewrite, ['hermes', 'rewrites', index, 'results']) : undefined
    return change ? [change] : []
  }))
  const turns = await changeTurns(conversation, (turn, number) => {
    const change = changes.get(number)
    return change && ranTurn(turn, change)
  })
  return { ...conversation, turns }
}

interface SavedChange {
  text: string
  rewritten: RewrittenAnswer
  results: RecordedResult[] | undefined
}

function changeIn(
  entry: Record<string, unknown>, path: readonly (string | number)[],
): [number, SavedChange] | undefined {
  const { turn } = entry
  const [original, text] = [textOf(entry['original']), textOf(entry['text'])]
  const by = listOf(entry['by']).flatMap((rewrite) => recordedRewrite(rewrite) ?? [])
  if (typeof turn !== 'number' || original === undefined || text === undefined || by.length === 0) return undefined
  const results = entry['results'] === undefined ? undefined : listOf(entry['results']).map((kept, index) => (
    kept === '' ? { text: '', isUnknown: true as const } : recordedResult(kept, { place: { path: [...path, index] } })
  ))
  return [turn, { text, rewritten: { original, by, ...(entry['inexact'] === true && { inexact: true }) }, results }]
}

/** The turn as it ran; its calls are blocks of the model's text. */
function ranTurn(turn: AssistantTurn, { text, rewritten, results }: SavedChange): ChangedTurn {
  return { turn: { ...turn, text, calls: [], rewritten }, ...(results ? { results } : { isSame: true }) }
}

/** Marks a trajectory whose texts were changed since, e.g. by masking secrets, as inexact. */
export function withExactness<Line>(record: Line): Line {
  const place = isRecord(record) ? record['hermes'] : undefined
  for (const entry of isRecord(place) ? listOf(place['rewrites']) : []) {
    const change = isRecord(entry) ? changeIn({ turn: 0, ...entry }, []) : undefined
    if (change && isRecord(entry) && !isExact(change[1])) entry['inexact'] = true
  }
  return record
}

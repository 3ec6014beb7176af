import { isRecord } from '../../../0-contracts/src/index.js'
import { listOf, textOf } from '../fields.js'
import { recordedResult } from '../recorded-results.js'
import type {
  AssistantTurn, Conversation, RecordedResult, RecordedRewrite, RewrittenAnswer, Transcript,
} from '../transcript-model.js'
import { changeTurns, type ChangedTurn } from './change-turns.js'
import { isExact, recordedRewrite } from './exact.js'

/** What extensions made of one answer, beside a conversation that has what the model wrote. */
export interface SavedRewrites {
  /** The assistant's turn of the conversation that it is, from 1; absent where that cannot be told. */
  turn?: number
  /** What the model wrote, with its blocks where they stood. */
  original: string
  /** What ran. */
  text: string
  /** The texts are not byte for byte those of the hashes. */
  inexact?: true
  by: readonly RecordedRewrite[]
  /** Of what ran, where the conversation does not have them all in their order. */
  results?: readonly string[]
}

/**
 * A transcript in which each answer is what the model wrote, with the results that belong to it.
 *
 * @returns also what extensions made of them, by the number of the assistant's turn
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
        if (!areKept) saved.set(number, { ...entry, results: results.map((one) => one?.text ?? '') })
      },
    }
  })
  return { transcript: { ...transcript, turns }, saved }
}

/**
 * A conversation as it ran: of the answers that extensions changed, the record has what they made of them beside it
 * (`hermes.rewrites`).
 */
export async function withSavedRewrites(conversation: Conversation, record: unknown): Promise<Conversation> {
  const place = isRecord(record) ? record['hermes'] : undefined
  const rewrites = isRecord(place) ? listOf(place['rewrites']) : []
  if (rewrites.length === 0) return conversation
  const changes = new Map(rewrites.flatMap((one, index) => {
    const change = isRecord(one) ? changeIn(one, ['hermes', 'rewrites', index, 'results']) : undefined
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
  const by = listOf(entry['by']).flatMap((one) => recordedRewrite(one) ?? [])
  if (typeof turn !== 'number' || original === undefined || text === undefined || by.length === 0) return undefined
  const results = entry['results'] === undefined ? undefined : listOf(entry['results']).map((one, index) => (
    one === '' ? { text: '', isUnknown: true as const } : recordedResult(one, { place: { path: [...path, index] } })
  ))
  return [turn, { text, rewritten: { original, by, ...(entry['inexact'] === true && { inexact: true }) }, results }]
}

/** Its calls are blocks of what the model wrote. */
function ranTurn(turn: AssistantTurn, { text, rewritten, results }: SavedChange): ChangedTurn {
  return { turn: { ...turn, text, calls: [], rewritten }, ...(results ? { results } : { isSame: true }) }
}

/** A trajectory whose texts were changed since it was made, as where secrets were masked: it says so. */
export function withExactness<Line>(record: Line): Line {
  const place = isRecord(record) ? record['hermes'] : undefined
  for (const entry of isRecord(place) ? listOf(place['rewrites']) : []) {
    const change = isRecord(entry) ? changeIn({ turn: 0, ...entry }, []) : undefined
    if (change && isRecord(entry) && !isExact(change[1])) entry['inexact'] = true
  }
  return record
}

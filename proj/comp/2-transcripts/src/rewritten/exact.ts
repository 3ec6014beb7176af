import { createHash } from 'node:crypto'
import { HermesError, isRecord, type Rewrite } from '../../../0-contracts/src/index.js'
import { answerText } from '../../../1-reading/src/index.js'
import { defined, textOf } from '../fields.js'
import { readResponse } from '../response/index.js'
import type { AssistantTurn, RecordedRewrite, RewrittenAnswer } from '../transcript-model.js'

/** An answer as extensions left it, before it runs; `rewrites` is empty where none changed it. */
export interface PreparedText {
  /** The text as the model wrote it. */
  original: string
  rewrites: readonly Rewrite[]
  /** The text after each rewrite, in order. */
  texts: readonly string[]
}

/** A turn whose answer extensions changed. */
type Rewritten = Pick<AssistantTurn, 'text'> & { rewritten: RewrittenAnswer }

/** SHA-256 of a text in UTF-8, hexadecimal. */
export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

/**
 * What a turn records of how extensions changed its answer; `undefined` where they changed nothing.
 *
 * @param ran the text that ran: the last of `texts`, or the answer in it, where that is a saved response of an API
 */
export function rewrittenAnswer({ original, rewrites, texts }: PreparedText, ran: string): RewrittenAnswer | undefined {
  if (rewrites.length === 0) return undefined
  // The texts may be saved responses of a model API. Then the answers in them are recorded, as they are what ran.
  const asRun = texts.at(-1) === ran ? (text: string) => text : readAnswer
  return { original: asRun(original), by: rewrites.map((rewrite, index): RecordedRewrite => {
    const text = texts[index]
    return { ...rewrite, ...(text !== undefined && index < rewrites.length - 1 && { text: asRun(text) }) }
  }) }
}

/** The turn after its answer was changed once more: the new rewrites behind those it has on record. */
export function rewrittenAgain(turn: AssistantTurn, prepared: PreparedText, ran: string): AssistantTurn {
  const added = rewrittenAnswer(prepared, ran)
  if (!added) return turn
  const { text, rewritten } = turn
  if (!rewritten) return { ...turn, text: ran, rewritten: added }
  // Until now the last earlier rewrite had its text from the turn, whose text becomes another.
  const earlier = rewritten.by.map((rewrite, index) => (
    index === rewritten.by.length - 1 ? { ...rewrite, text } : rewrite
  ))
  return { ...turn, text: ran, rewritten: { ...rewritten, by: [...earlier, ...added.by] } }
}

function readAnswer(text: string): string {
  const response = readResponse(text)
  return response ? answerText(response) : text
}

/** The text before a rewrite, if recorded. */
export function textBefore({ rewritten: { original, by } }: Rewritten, index: number): string | undefined {
  return index === 0 ? original : by[index - 1]?.text
}

/** The text after a rewrite, if recorded. */
export function textAfter({ text, rewritten: { by } }: Rewritten, index: number): string | undefined {
  return by[index]?.text ?? (index === by.length - 1 ? text : undefined)
}

/** Whether all recorded texts match their hashes. */
export function isExact(turn: Rewritten): boolean {
  const { original, by } = turn.rewritten
  return sha256(original) === by[0]?.before && by.every(({ after }, index) => {
    const text = textAfter(turn, index)
    return text === undefined || sha256(text) === after
  })
}

/** @throws HermesError `INVALID_TRANSCRIPT` where recorded texts do not match their hashes, or rewrites are missing */
export function requireExact(turn: Rewritten): void {
  const { by, inexact } = turn.rewritten
  if (by.length === 0) {
    throw new HermesError('INVALID_TRANSCRIPT', 'The record does not say which extensions changed the answer', {
      hint: 'It was cut off, or changed: only what ran can be replayed, without --original and --without.',
    })
  }
  const isChain = by.every(({ before }, index) => index === 0 || before === by[index - 1]?.after)
  // Masked texts cannot be verified by hash.
  if (isChain && (inexact === true || isExact(turn))) return
  const names = by.map(({ extension }) => extension).join(', ')
  throw new HermesError(
    'INVALID_TRANSCRIPT', `The texts of the answer on record are not those that ${names} had`,
    { hint: 'Their SHA-256 is another: the file was changed. Replay what ran, without --original and --without.' },
  )
}

/** A recorded rewrite; `undefined` for anything else. */
export function recordedRewrite(value: unknown): RecordedRewrite | undefined {
  if (!isRecord(value)) return undefined
  const { extension, version, command, before, after, diff, text } = value
  if (typeof extension !== 'string' || typeof command !== 'string' || typeof before !== 'string'
    || typeof after !== 'string' || typeof diff !== 'string') return undefined
  return defined<RecordedRewrite>({
    extension, version: textOf(version), command, before, after, diff, text: textOf(text),
  })
}

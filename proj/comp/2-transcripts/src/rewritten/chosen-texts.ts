import { HermesError, type Rewrite } from '../../../0-contracts/src/index.js'
import type { AssistantTurn, RecordedRewrite, RewrittenAnswer, Transcript } from '../transcript-model.js'
import { applyAgain } from './apply-again.js'
import { changeTurns } from './change-turns.js'
import { requireExact, sha256, textAfter, textBefore } from './exact.js'

/** Which version of a rewritten answer to run; with neither option, the one that ran. */
export interface TextChoice {
  /** The text as the model wrote it. */
  original?: boolean
  /** The text without changes by these extensions: `NAME` or `NAME:COMMAND`. */
  without?: readonly string[]
}

/**
 * A transcript with another version of its answers. Results stay with their blocks.
 *
 * @throws HermesError `INVALID_TRANSCRIPT` where the record lacks the texts, `INVALID_OPTION` where a later change
 *   depends on an earlier one
 */
export async function chosenTexts(transcript: Transcript, choice: TextChoice): Promise<Transcript> {
  const turns = await changeTurns(transcript, async (turn) => {
    const other = await chosen(turn, choice)
    return other && { turn: other }
  })
  return { ...transcript, turns }
}

/** Whether a rewrite is to be undone. */
export function isUndone({ extension, command }: Rewrite, { original = false, without = [] }: TextChoice): boolean {
  return original || without.includes(extension) || without.includes(`${extension}:${command}`)
}

async function chosen(turn: AssistantTurn, choice: TextChoice): Promise<AssistantTurn | undefined> {
  const { rewritten, ...rest } = turn
  if (!rewritten) return undefined
  const undone = rewritten.by.map((recordedRewrite) => isUndone(recordedRewrite, choice))
  const first = undone.indexOf(true)
  if (first === -1 && choice.original !== true) return undefined
  requireExact({ ...turn, rewritten })
  if (undone.every(Boolean)) return { ...rest, text: rewritten.original }
  const kept: RecordedRewrite[] = rewritten.by.slice(0, first)
  let text = known(textBefore({ ...turn, rewritten }, first), rewritten, first)
  for (const [index, rewrite] of rewritten.by.entries()) {
    if (index < first || undone[index] === true) continue
    const base = known(textBefore({ ...turn, rewritten }, index), rewritten, index)
    const changed = known(textAfter({ ...turn, rewritten }, index), rewritten, index + 1)
    const after = await applyAgain({ base, changed, other: text })
    if (after === undefined) {
      throw conflict(rewritten.by.slice(first, index).filter((_, at) => undone[first + at]), rewrite)
    }
    // A rewrite that only changed undone text disappears.
    if (after !== text) kept.push({ ...rewrite, before: sha256(text), after: sha256(after), text: after })
    text = after
  }
  if (kept.length === 0) return { ...rest, text }
  return { ...rest, text, rewritten: { ...rewritten, by: kept } }
}

function known(text: string | undefined, { by }: RewrittenAnswer, index: number): string {
  if (text !== undefined) return text
  const names = by.slice(0, index).map(({ extension }) => extension)
  throw new HermesError(
    'INVALID_TRANSCRIPT', `The record does not hold the text that ${names.join(', ')} left`,
    { hint: 'An earlier version of hermes made it. --original replays what the model wrote; record the answer again.' },
  )
}

function conflict(undone: readonly Rewrite[], { extension, command }: Rewrite): HermesError {
  const names = [...new Set(undone.map((rewrite) => rewrite.extension))].join(', ')
  return new HermesError(
    'INVALID_OPTION', `What ${extension} (${command}) changed cannot be changed without ${names}: both changed the `
      + 'same lines',
    { hint: `Nothing was run. Undo both (--without ${names} --without ${extension}), or replay the --original.` },
  )
}

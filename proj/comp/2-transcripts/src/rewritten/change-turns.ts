import { matchResults } from '../steps.js'
import type { AssistantTurn, Conversation, RecordedResult, Turn } from '../transcript-model.js'
import { itemsOf, pairItems, type Item } from './answer-items.js'

/** A replacement for a turn. */
export interface ChangedTurn {
  turn: AssistantTurn
  /** Results of all its items, if known; otherwise matching ones of the replaced turn are used. */
  results?: readonly RecordedResult[]
  /** It has the same blocks and calls in the same order, only written differently. */
  isSame?: boolean
  /**
   * Receives the results of the replaced turn's items.
   *
   * @param areKept all items are still there, in the same order
   */
  told?(results: readonly (RecordedResult | undefined)[], areKept: boolean): void
}

/** A step being collected, until the assistant's next turn behind its results. */
interface OpenStep {
  turns: { turn: AssistantTurn; other: ChangedTurn | undefined }[]
  isChanged: boolean
  results: RecordedResult[]
  /** The turn that receives the results. */
  place: { role: 'results'; results: RecordedResult[] } | undefined
}

/**
 * Replaces turns of a conversation: a result stays with its block or call, and new ones get an unknown result. Steps
 * without a change stay as they are.
 *
 * @param change returns the replacement of an assistant's turn, which are counted from 1; `undefined` keeps it
 */
export async function changeTurns(
  { turns, settings }: Pick<Conversation, 'turns' | 'settings'>,
  change: (turn: AssistantTurn, number: number) => ChangedTurn | undefined | Promise<ChangedTurn | undefined>,
): Promise<Turn[]> {
  const made: Turn[] = []
  let number = 0
  let step: OpenStep | undefined
  let hasAnswers = false
  const close = (): void => {
    if (step?.isChanged) settle(step, settings, made)
    step = undefined
  }
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      if (hasAnswers) close()
      hasAnswers = false
      step ??= { turns: [], isChanged: false, results: [], place: undefined }
      const other = await change(turn, ++number)
      made.push(other?.turn ?? turn)
      step.turns.push({ turn, other })
      if (other) step.isChanged = true
    } else if (turn.role === 'results') {
      hasAnswers = true
      if (!step?.isChanged) made.push(turn)
      else if (!step.place) made.push(step.place = { role: 'results', results: [] })
      step?.results.push(...turn.results)
    } else {
      hasAnswers = true
      made.push(turn)
    }
  }
  close()
  return made
}

/** The results of a step, in the order of its turns' present items. */
function settle(
  { turns, results, place }: OpenStep, settings: Conversation['settings'], made: Turn[],
): void {
  const before = turns.map(({ turn }) => itemsOf(turn, turn.settings ?? settings))
  const matched = matchResults(before.flat().map(({ id, isCall, byService }) => (
    { isCall, byService, callId: isCall ? id : undefined }
  )), results)
  let from = 0
  const now = turns.flatMap(({ other }, index): RecordedResult[] => {
    const asked = before[index] ?? []
    const own = matched.slice(from, from += asked.length)
    const items = other ? itemsOf(other.turn, other.turn.settings ?? settings) : asked
    return resultsOf(items, pairsOf(asked, items, other), own, other)
  })
  if (place) place.results = now
  else if (now.some(({ isUnknown }) => isUnknown !== true)) made.push({ role: 'results', results: now })
}

/** For each present item, the index of the previous one. */
function pairsOf(
  before: readonly Item[], items: readonly Item[], other: ChangedTurn | undefined,
): (number | undefined)[] {
  const isInOrder = !other || (other.isSame === true && items.length === before.length)
  return isInOrder ? items.map((_, index) => index) : pairItems(before, items)
}

function resultsOf(
  items: readonly Item[], pairs: readonly (number | undefined)[], own: readonly (RecordedResult | undefined)[],
  other: ChangedTurn | undefined,
): RecordedResult[] {
  other?.told?.(own, items.length === own.length && pairs.every((at, index) => at === index))
  return items.flatMap((item, index) => {
    if (item.byService) return []
    const at = pairs[index]
    const result = other?.results ? other.results[index] : at === undefined ? undefined : own[at]
    return [withId(result ?? { text: '', isUnknown: true }, item)]
  })
}

/** Adjusts the id of a result: calls are matched by id, blocks by order. */
function withId(recorded: RecordedResult, { id, isCall }: Item): RecordedResult {
  const { callId: _, ...result } = recorded
  return isCall && id !== undefined ? { ...result, callId: id } : result
}

import { matchResults } from '../steps.js'
import type { AssistantTurn, Conversation, RecordedResult, Turn } from '../transcript-model.js'
import { itemsOf, pairItems, type Item } from './answer-items.js'

/** A turn in place of another. */
export interface ChangedTurn {
  turn: AssistantTurn
  /** Of all that it asks for, where they are known; else those of the other that belong to it. */
  results?: readonly RecordedResult[]
  /** Both ask for the same in the same order, however they write it. */
  isSame?: boolean
  /**
   * Told the results of all that the other asked for.
   *
   * @param areKept each still has its place, in the same order
   */
  told?(results: readonly (RecordedResult | undefined)[], areKept: boolean): void
}

/** What of a step is to be changed, until the next turn of the assistant after its results. */
interface OpenStep {
  turns: { turn: AssistantTurn; other: ChangedTurn | undefined }[]
  isChanged: boolean
  results: RecordedResult[]
  /** Where the results go. */
  place: { role: 'results'; results: RecordedResult[] } | undefined
}

/**
 * The turns of a conversation, some of them changed: a result stays with the block or call that it belongs to, and what
 * only the changed turn asks for has an unknown one. Steps without a change stay as they are.
 *
 * @param change the turn in place of one of the assistant's, which are counted from 1; `undefined` where it stays
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

/** The results of the step in the order in which its turns ask for them now. */
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

/** For each of the items now which of those before it is. */
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

/** Results of calls go by ids, those of blocks by their order. */
function withId(recorded: RecordedResult, { id, isCall }: Item): RecordedResult {
  const { callId: _, ...result } = recorded
  return isCall && id !== undefined ? { ...result, callId: id } : result
}

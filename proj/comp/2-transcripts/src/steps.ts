import type { AssistantTurn, RecordedResult, Turn } from './transcript-model.js'

/** Turns of the assistant up to results or another speaker, and those results. */
export interface Step {
  turns: AssistantTurn[]
  results: RecordedResult[]
}

/** Groups the assistant's turns of a transcript with their results. */
export function stepsOf(turns: readonly Turn[]): Step[] {
  const steps: Step[] = []
  let isOpen = false
  for (const turn of turns) {
    const last = steps.at(-1)
    if (turn.role === 'assistant') {
      if (isOpen && last) last.turns.push(turn)
      else steps.push({ turns: [turn], results: [] })
      isOpen = true
    } else if (turn.role === 'results') {
      // Results without a preceding turn are dropped.
      last?.results.push(...turn.results)
      isOpen = false
    } else isOpen = false
  }
  return steps
}

/** Part of a step that can have a result: a call, or a block of a text (without an id). */
export interface Asked {
  callId?: string | undefined
  isCall: boolean
  /** Calls run by the service have their results elsewhere. */
  byService?: boolean | undefined
}

/**
 * Matches results: by id where both have one, the others in order.
 *
 * @param asked in the order of the step: for each turn the blocks of its text, then its calls
 */
export function matchResults(
  asked: readonly Asked[], results: readonly RecordedResult[],
): (RecordedResult | undefined)[] {
  const left = [...results]
  const ids = new Set(asked.flatMap(({ callId }) => (callId === undefined ? [] : [callId])))
  const take = (fits: (result: RecordedResult) => boolean): RecordedResult | undefined => {
    const at = left.findIndex(fits)
    return at === -1 ? undefined : left.splice(at, 1)[0]
  }
  const byId =
    asked.map(({ callId }) => (callId === undefined ? undefined : take((result) => result.callId === callId)))
  // An unknown id (some harnesses drop those of calls) counts as none.
  const inOrder = (result: RecordedResult): boolean => result.callId === undefined || !ids.has(result.callId)
  return asked.map(({ byService }, index) => byId[index] ?? (byService === true ? undefined : take(inOrder)))
}

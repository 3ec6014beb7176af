import type { AssistantTurn, RecordedResult, Turn } from './transcript-model.js'

/** What the assistant said until results or somebody else came, and those results. */
export interface Step {
  turns: AssistantTurn[]
  results: RecordedResult[]
}

/** The assistant's turns of a transcript with the results that belong to them. */
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
      // Results that nobody asked for belong to nothing.
      last?.results.push(...turn.results)
      isOpen = false
    } else isOpen = false
  }
  return steps
}

/** Something of a step that a result can belong to: a call, or a block of a text (without an id). */
export interface Asked {
  callId?: string | undefined
  isCall: boolean
  /** A call of the service has its result elsewhere. */
  byService?: boolean | undefined
}

/**
 * The result of each: by id where both have one, the others in order.
 *
 * @param asked in the order of the step: of each turn the blocks of its text, then its calls
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
  // An id that is nobody's (some harnesses drop those of the calls) says no more than none.
  const inOrder = (result: RecordedResult): boolean => result.callId === undefined || !ids.has(result.callId)
  return asked.map(({ byService }, index) => byId[index] ?? (byService === true ? undefined : take(inOrder)))
}

import { CANCELLED_BEFORE_START, type ActionResult, type ExecutionResult } from '../../0-contracts/src/index.js'
import { actionWords, subjectOfResult } from './called.js'
import { plural } from './quantities.js'
import { oneLine } from './safe-text.js'

/** Blocks that are named. */
const MOST_NAMED = 8

/** What the user stopped, what had not begun, and what became of the rest. */
export function stoppedLines({ results, executedActions, fatalError }: ExecutionResult, isDryRun: boolean): string[] {
  // Then that stopped the run.
  if (fatalError !== undefined) return []
  const cancelled = results.filter(({ success, code }) => !success && code === 'CANCELLED')
  const waiting = cancelled.filter(({ error }) => error === CANCELLED_BEFORE_START)
  const running = cancelled.filter((result) => !waiting.includes(result))
  return [
    ...running.map((result) => `Stopped: ${called(result)}`),
    ...(waiting.length === 0 ? [] : [`Not begun: ${named(waiting)}`]),
    ...(isDryRun || executedActions === 0 ? [] : ['What had run stays; hermes undo takes it back.']),
  ]
}

function called(result: ActionResult): string {
  const words = [oneLine(result.blockId, 40), oneLine(actionWords(result), 80), subjectOfResult(result)]
  return words.filter((word) => word !== '').join(' ')
}

function named(results: readonly ActionResult[]): string {
  const ids = results.slice(0, MOST_NAMED).map(({ blockId }) => oneLine(blockId, 40))
  const more = results.length - ids.length
  return `${ids.join(', ')}${more > 0 ? ` and ${plural(more, 'more block')}` : ''}`
}

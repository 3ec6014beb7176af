import { caughtLater, HermesError, type PathGate } from '../../../../0-contracts/src/index.js'
import type { RunRecord } from '../../journal/index.js'
import { examineRuns } from './examine-run.js'
import type { Restorer } from './put-back.js'
import { reverseRun } from './reverse-run.js'
import { journalsToReverse, readHistory } from '../run-history.js'

/**
 * Whether an undo or redo that died had restored everything, so that repeating it without force would change nothing.
 */
export async function isAllReversed(
  { begin: { kind, of, runId } }: RunRecord, places: { root: string; gate: PathGate },
): Promise<boolean> {
  if (kind === 'run' || of === undefined) return false
  const journals = journalsToReverse(readHistory(places.root), kind, of)
  if (!journals) return false
  // Only counts what it would do.
  let count = 0
  const counted = (): void => {
    count++
  }
  const restorer: Restorer = { restore: counted, move: counted, makeDirectories: counted }
  return caughtLater(HermesError, async () => {
    for (const examined of await examineRuns(journals, { ...places, runId })) {
      if (examined.differing.length > 0 || examined.commands.unknown) return false
      const { left } = await reverseRun(examined, { ...places, runId, restorer })
      if (left.length > 0) return false
    }
    return count === 0
  }, () => false)
}

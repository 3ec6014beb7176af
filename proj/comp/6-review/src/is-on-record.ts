import { userGate, type ExecutorOptions } from '../../5-executor/src/index.js'
import { readHistory } from '../../3-transaction/src/index.js'

/** Whether the run changed something that can be taken back. */
export function isOnRecord(options: ExecutorOptions, runId: string): boolean {
  return readHistory(userGate(options).root).applied.some((run) => run.runId === runId)
}

import { resolve } from 'node:path'
import { userHooks, type ExecutorOptions } from '../../5-executor/src/index.js'
import { createPathGate } from '../../2-files/src/index.js'
import { createRunId, readHistory, undo, type UndoOutcome } from '../../3-transaction/src/index.js'

/** The gate of the user's own hand: what a command planted is taken back all the same. */
function gateOf({ root, allow = [] }: ExecutorOptions) {
  return createPathGate({ root: resolve(root ?? '.'), allow, forUser: true })
}

/** Whether the run changed something that can be taken back. */
export function isOnRecord(options: ExecutorOptions, runId: string): boolean {
  return readHistory(gateOf(options).root).applied.some((run) => run.runId === runId)
}

/** Takes back just that run, as `hermes undo --run ID` does. @throws as `undo` of `transaction` */
export async function takeBack(options: ExecutorOptions, target: string, signal: AbortSignal): Promise<UndoOutcome> {
  const gate = gateOf(options)
  const git = options.gitCommit !== false
  return undo({
    root: gate.root, gate, runId: createRunId(), target, force: false, git, durable: options.durable ?? false,
    waitMs: options.waitMs ?? 0, signal, ...(git && { hooks: await userHooks(gate.root, options.allow ?? []) }),
  })
}

import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { orNothing, type ExecutionResult } from '../../../0-contracts/src/index.js'
import { Continuation } from '../../../5-executor/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
import { isTerminal, print } from '../io/output.js'
import { asTyped } from '../io/typed-name.js'
import type { ApplyOptions } from './apply-options.js'

/** What goes on with the run of `--continue`, or can be gone on with; none of a dry run by itself. */
export function continuationOf(args: Arguments, { root, dryRun }: ApplyOptions): Continuation | undefined {
  const run = args.value('continue')
  if (run !== undefined && args.has('plan')) {
    throw usageError('--continue and --plan cannot be given together', 'A plan is of one whole answer: leave one out.')
  }
  if (run === undefined && dryRun) return undefined
  return new Continuation(orNothing(() => realpathSync.native(root), resolve(root)), run)
}

/** Keeps what a second answer needs of the run; at a terminal it says how that is given. */
export function keepForSecond(
  going: Continuation | undefined, runId: string,
  { own, result, isTold, isInterrupted }: {
    own: ExecutionResult; result: ExecutionResult; isTold: boolean; isInterrupted: boolean
  },
): void {
  if (!going?.keep(runId, own) || result.success || !isTold || !isTerminal('stdout')) return
  const how = isInterrupted ? 'To go on, with the blocks that are left in a file'
    : 'With a second answer that has the mended blocks alone'
  print(asTyped(`${how}:\n  hermes apply --continue ${runId} FILE\n`))
}

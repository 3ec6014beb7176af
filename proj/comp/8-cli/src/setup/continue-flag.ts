import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { Continuation } from '../../../5-executor/src/index.js'
import { usageError, type Arguments } from '../arguments.js'
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

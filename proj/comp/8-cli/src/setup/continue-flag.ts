import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { orNothing, type ExecutionResult } from '../../../0-contracts/src/index.js'
import { shellWord } from '../../../0-text/src/index.js'
import { plural } from '../../../1-reports/src/index.js'
import { Continuation } from '../../../5-executor/src/index.js'
import { givenFlags, usageError, type Arguments, type Flag } from '../arguments.js'
import { ATOMIC_FLAG, NO_GIT_FLAG, SITTING_FLAGS } from '../common-flags.js'
import { asTyped, isTerminal, printError, printRaw } from '../io/output.js'
import { isStdin } from '../io/read-input.js'
import type { ApplyOptions } from './apply-options.js'

/** The continuation of `--continue`'s run, or of a run that can be continued; none for a plain dry run. */
export function continuationOf(args: Arguments, { root, dryRun }: ApplyOptions): Continuation | undefined {
  const run = args.value('continue')
  if (run !== undefined && args.has('plan')) {
    throw usageError('--continue and --plan cannot be given together', 'A plan is of one whole answer: leave one out.')
  }
  if (run === undefined && dryRun) return undefined
  const going = new Continuation(orNothing(() => realpathSync.native(root), resolve(root)), run)
  if (going.earlier && going.earlier.runId !== run) printError(`hermes: ${goesOnWith(going.earlier)}\n`)
  return going
}

function goesOnWith({ runId, newer }: { runId: string; newer: readonly string[] }): string {
  const last = newer.at(-1)
  if (last === undefined) return `This goes on with run ${runId}`
  const since = `${plural(newer.length, 'newer run')} kept no blocks to mend`
  return `This goes on with run ${runId}; ${since} (${last}${newer.length > 1 ? ', …' : ''})`
}

/** Flags that determine where an answer runs and how it is read: a continuing command must repeat them. */
const SAME_FLAGS: readonly Flag[] = [...SITTING_FLAGS, NO_GIT_FLAG, ATOMIC_FLAG]

/** Stores what a continuing answer needs; at a terminal also says how to continue. */
export function keepForSecond(
  args: Arguments, going: Continuation | undefined, runId: string,
  { own, result, isTold, isInterrupted }: {
    own: ExecutionResult; result: ExecutionResult; isTold: boolean; isInterrupted: boolean
  },
): void {
  const isKept = going?.keep(runId, own) ?? false
  if (result.success || result.totalBlocks === 0 || !isTold || !isTerminal('stdout')) return
  const next = isKept ? nextOfKept(runId, isInterrupted) : nextOfNone(args, own, isInterrupted)
  if (next === undefined) return
  const flags = givenFlags(args, SAME_FLAGS)
  const forModel = `What failed, for the model:\n  hermes apply --continue ${runId} --reply${flags}\n`
  const how = `${next.how}:\n  hermes apply ${next.words}${flags}\n`
  printRaw(asTyped(isKept && !isInterrupted ? `${forModel}${how}` : how))
}

interface NextCommand {
  how: string
  words: string
}

function nextOfKept(runId: string, isInterrupted: boolean): NextCommand {
  const how = isInterrupted ? 'To go on, with the blocks that are left in a file'
    : 'With a second answer that has the mended blocks alone'
  return { how, words: `--continue ${runId} FILE` }
}

/** The next command after a run of which nothing remains. */
function nextOfNone(args: Arguments, own: ExecutionResult, isInterrupted: boolean): NextCommand | undefined {
  if (own.rolledBack === undefined && own.results.some(({ success }) => success)) return undefined
  if (!isInterrupted && own.fatalError === undefined) return { how: 'With a mended answer', words: 'FILE' }
  const [file] = args.positionals
  return { how: 'To run it again', words: isStdin(file) ? 'FILE' : shellWord(file) }
}

import { HermesError } from '../../../../0-contracts/src/index.js'
import { renderRun, renderVerification } from '../../../../7-output/src/index.js'
import { escapeControls, shellWord } from '../../../../0-text/src/index.js'
import { findRunId, listRuns, rootAbove, verifyJournal, type ListedRun } from '../../../../3-transaction/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { asTyped, EXIT, printFound, wantsColour } from '../../io/output.js'
import { wholeNumber } from '../../setup/apply-options.js'
import { transactionOptions } from '../../setup/transaction-flags.js'

/** `hermes log`: the runs of a root, newest first, or one of them. */
export async function log(args: Arguments): Promise<number> {
  const { root } = transactionOptions(args)
  const colour = wantsColour()
  const [wanted] = args.positionals
  if (wanted !== undefined) {
    requireAlone(args)
    const run = await runOf(root, wanted)
    return printFound(args, [run], () => renderRun(run, { colour, diffs: true }))
  }
  if (args.has('verify')) {
    const verification = verifyJournal(root)
    return printFound(args, verification, () => (
      renderVerification(verification, { colour })), verification.success ? EXIT.ok : EXIT.failed)
  }
  const runs = await listRuns(root, wholeNumber(args, 'limit', 'number of runs', { range: 'from 1 up' }) ?? 20)
  return printFound(args, runs, () => (
    asTyped(runs.length === 0 ? noRuns(root) : runs.map((run) => renderRun(run, { colour })).join('\n'))))
}

function requireAlone(args: Arguments): void {
  const other = ['limit', 'verify'].find((flag) => args.has(flag))
  if (other === undefined) return
  throw usageError(`--${other} is for all runs, and one is named`, 'Leave out one of them.')
}

/** @throws HermesError `ENOENT`, `INVALID_OPTION` */
async function runOf(root: string, wanted: string): Promise<ListedRun> {
  const runs = await listRuns(root)
  const runId = wanted === 'last' ? undefined : findRunId(root, wanted)
  // Damaged runs come first in a list, since their time is unknown.
  const newest = runs.find(({ state }) => state !== 'damaged') ?? runs[0]
  const run = runId === undefined ? newest : runs.find((candidate) => candidate.runId === runId)
  if (run) return run
  const message = wanted === 'last' ? 'No run is on record for this root' : `No such run: ${wanted}`
  throw new HermesError('ENOENT', message, { hint: 'hermes log lists the runs of a root.' })
}

function noRuns(root: string): string {
  const above = rootAbove(root)
  const hint = above === undefined ? ''
    : ` There are some for ${escapeControls(above)}: hermes log --root ${escapeControls(shellWord(above))}`
  return `No runs are on record for this root.${hint}\n`
}

import { renderRun, renderVerification } from '../../../../7-output/src/index.js'
import { escapeControls, shellWord } from '../../../../0-text/src/index.js'
import { listRuns, rootAbove, verifyJournal } from '../../../../3-transaction/src/index.js'
import { usageError, type Arguments } from '../../arguments.js'
import { EXIT } from '../../exit-codes.js'
import { print, printJson, wantsColour } from '../../io/output.js'
import { transactionOptions } from '../../setup/transaction-flags.js'

/** `hermes log`: the runs of a root, newest first. */
export async function log(args: Arguments): Promise<number> {
  const { root } = transactionOptions(args)
  const colour = wantsColour()
  if (args.has('verify')) {
    const verification = verifyJournal(root)
    if (args.has('json')) printJson(verification)
    else print(renderVerification(verification, { colour }))
    return verification.success ? EXIT.ok : EXIT.failed
  }
  const runs = await listRuns(root, mostRuns(args))
  if (args.has('json')) printJson(runs)
  else print(runs.length === 0 ? noRuns(root) : runs.map((run) => renderRun(run, { colour })).join('\n'))
  return EXIT.ok
}

function noRuns(root: string): string {
  const above = rootAbove(root)
  const hint = above === undefined ? ''
    : ` There are some for ${escapeControls(above)}: hermes log --root ${escapeControls(shellWord(above))}`
  return `No runs are on record for this root.${hint}\n`
}

function mostRuns(args: Arguments): number {
  const value = args.value('limit') ?? '20'
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value)
  throw usageError(`Invalid number of runs: ${value}`, '--limit is a whole number from 1 up.')
}

import type { HistoryOptions, StepOutcome } from '../../git-history/src/index.js'
import { plural } from '../../reports/src/index.js'
import { escapeControls, printableJson } from '../../text/src/index.js'
import type { Arguments } from './arguments.js'
import { EXIT } from './exit-codes.js'
import { interruptible } from './interrupt.js'
import { print } from './output.js'
import { withRefusals } from './refusals.js'
import { transactionOptions } from './transaction-options.js'

const MOST_NAMED = 20

/** Runs a command over the git history of `--root`, and prints what it did or why it did nothing. */
export async function historyCommand<Outcome extends { success: boolean }>(
  args: Arguments, task: (options: HistoryOptions) => Promise<Outcome>, render: (outcome: Outcome) => string,
): Promise<number> {
  const interrupt = interruptible()
  const { root, waitMs } = transactionOptions(args)
  return withRefusals(args, interrupt, async () => {
    const outcome = await task({ root, waitMs, signal: interrupt.signal })
    print(args.has('json') ? `${printableJson(outcome)}\n` : render(outcome))
    return outcome.success ? EXIT.ok : EXIT.failed
  })
}

/** For people. */
export function renderStep(outcome: StepOutcome): string {
  const { from, to, branch, stashed_files: stashed, restored_files: restored, conflicts, kept_stashes: kept } = outcome
  const on = branch === undefined ? '' : `, on ${branch.replace(/^refs\/heads\//, '')} again`
  return escapeControls([
    `HEAD is at ${to.slice(0, 10)}${on}`,
    ...(stashed ? [`Stashed ${files(stashed)}`, `  Back when HEAD is at ${from.slice(0, 10)} again`] : []),
    ...(restored ? [`Put back ${files(restored)}`] : []),
    ...(conflicts && kept ? [
      `Not put back: in the way ${conflicts.length === 1 ? 'is' : 'are'} ${files(conflicts)}`,
      ...kept.map(stash => `  Move them away, then: git stash apply --index ${stash.slice(0, 10)}`),
    ] : []),
    '',
  ].join('\n'), true)
}

function files(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? `, … and ${names.length - MOST_NAMED} more` : ''
  const named = names.slice(0, MOST_NAMED).map(name => escapeControls(name)).join(', ')
  return `${plural(names.length, 'file')}: ${named}${more}`
}

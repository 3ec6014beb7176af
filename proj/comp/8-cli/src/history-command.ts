import type { HistoryOptions } from '../../3-transaction/src/index.js'
import type { Arguments } from './arguments.js'
import { interruptible } from './io/interrupt.js'
import { asTyped, EXIT, printFound } from './io/output.js'
import { withRefusals } from './io/refusals.js'
import { transactionOptions } from './setup/transaction-flags.js'

/** Runs a command over the git history of `--root`, and prints what it did or why it did nothing. */
export async function historyCommand<Outcome extends { success: boolean }>(
  args: Arguments, task: (options: HistoryOptions) => Promise<Outcome>, render: (outcome: Outcome) => string,
): Promise<number> {
  const interrupt = interruptible()
  const { root, waitMs } = transactionOptions(args)
  return withRefusals(args, interrupt, async () => {
    const { userHooks } = await import('../../5-executor/src/index.js')
    const outcome = await task({ root, waitMs, signal: interrupt.signal, hooks: await userHooks(root, []) })
    return printFound(args, outcome, () => asTyped(render(outcome)), outcome.success ? EXIT.ok : EXIT.failed)
  })
}

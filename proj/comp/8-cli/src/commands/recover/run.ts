import { renderRecovery } from '../../../../7-output/src/index.js'
import { recover } from '../../../../3-transaction/src/index.js'
import type { Arguments } from '../../arguments.js'
import { interruptible } from '../../io/interrupt.js'
import { asTyped, EXIT, printFound, wantsColour } from '../../io/output.js'
import { trustingJournal } from '../../io/trusting-journal.js'
import { withRefusals } from '../../io/refusals.js'
import { hooksOfUser, transactionOptions } from '../../setup/transaction-flags.js'

/** `hermes recover`: ends a run whose process died. */
export async function recoverCommand(args: Arguments): Promise<number> {
  const interrupt = interruptible()
  const options = {
    ...transactionOptions(args), restore: args.has('restore'), force: args.has('force'), signal: interrupt.signal,
  }
  return withRefusals(args, interrupt, async () => {
    const hooks = await hooksOfUser(args, options.root)
    const outcome = await trustingJournal(args, interrupt.signal, (trustJournal) => (
      recover({ ...options, hooks, trustJournal })
    ))
    const success = outcome.left.length === 0
    return printFound(args, { success, ...outcome }, () => (
      asTyped(renderRecovery(outcome, { colour: wantsColour() }))), success ? EXIT.ok : EXIT.failed)
  })
}

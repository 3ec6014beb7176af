import { requireRootHere } from '../../../../5-executor/src/index.js'
import { hadChangedNothing, renderUndo } from '../../../../7-output/src/index.js'
import {
  createRunId, listRuns, redo, undo, type ListedRun, type UndoOutcome,
} from '../../../../3-transaction/src/index.js'
import type { Arguments } from '../../arguments.js'
import { fatalFields } from '../../io/failure-document.js'
import { interruptible } from '../../io/interrupt.js'
import { whileShown } from '../../io/shown-status.js'
import { asTyped, EXIT, print, printJson, wantsColour } from '../../io/output.js'
import { trustingJournal } from '../../io/trusting-journal.js'
import { withRefusals } from '../../io/refusals.js'
import { hooksOfUser, transactionOptions } from '../../setup/transaction-flags.js'

/** `hermes undo`: undoes a run. */
export async function undoCommand(args: Arguments): Promise<number> {
  const target = args.value('run')
  return reverse(args, 'undo', (options) => undo({ ...options, ...(target !== undefined && { target }) }))
}

/** `hermes redo`: repeats the run that was undone last. */
export async function redoCommand(args: Arguments): Promise<number> {
  return reverse(args, 'redo', redo)
}

async function reverse(
  args: Arguments, command: 'undo' | 'redo', act: (options: Parameters<typeof redo>[0]) => Promise<UndoOutcome>,
): Promise<number> {
  const interrupt = interruptible()
  const options = {
    ...transactionOptions(args), runId: createRunId(), force: args.has('force'), durable: args.has('durable'),
    signal: interrupt.signal,
  }
  return withRefusals(args, interrupt, async () => {
    await requireRootHere(options.root, `hermes ${command}`)
    const hooks = await hooksOfUser(args, options.root)
    const outcome = await trustingJournal(args, interrupt.signal, async (trustJournal) => (
      whileShown(() => command, !args.has('json'), async () => act({ ...options, hooks, trustJournal }))
    ))
    if (args.has('json')) printJson({ ...outcome, ...fatalFields(outcome) })
    else {
      const before = hadChangedNothing(outcome) ? await lastThatChanged(options.root) : undefined
      print(asTyped(renderUndo(outcome, command, { colour: wantsColour(), before })))
    }
    if (outcome.fatalError !== undefined) return EXIT.usage
    const isAll = outcome.success && outcome.kept.length === 0 && outcome.merged.every(({ marked }) => !marked)
    return isAll ? EXIT.ok : EXIT.failed
  })
}

/** The last run in force that changed something. */
async function lastThatChanged(root: string): Promise<ListedRun | undefined> {
  const runs = await listRuns(root)
  return runs.find(({ kind, state, files }) => kind === 'run' && state === 'applied' && files.length > 0)
}

import { createPalette, plural } from '../../../reports/src/index.js'
import { escapeControls } from '../../../text/src/index.js'
import { createRunId, redo, undo, type UndoOutcome } from '../../../transaction/src/index.js'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { fatalFields } from '../failure-document.js'
import { interruptible } from '../interrupt.js'
import { print, printJson, wantsColour } from '../output.js'
import { withRefusals } from '../refusals.js'
import { hooksOfUser, transactionOptions } from '../transaction-options.js'

/** `hermes undo`: takes a run back. */
export async function undoCommand(args: Arguments): Promise<number> {
  const target = args.value('run')
  return reverse(args, 'undo', (options) => undo({ ...options, ...(target !== undefined && { target }) }))
}

/** `hermes redo`: repeats the run that was taken back last. */
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
    const outcome = await act({ ...options, hooks: await hooksOfUser(args, options.root) })
    if (args.has('json')) printJson({ ...outcome, ...fatalFields(outcome) })
    else print(renderUndo(outcome, command))
    if (outcome.fatalError !== undefined) return EXIT.usage
    const isAll = outcome.success && outcome.kept.length === 0 && outcome.merged.every(({ marked }) => !marked)
    return isAll ? EXIT.ok : EXIT.failed
  })
}

function renderUndo(outcome: UndoOutcome, command: 'undo' | 'redo'): string {
  const { success, target, restored, merged, kept, left, warnings, gitCommit, fatalError } = outcome
  const { bad, faint, strong, note: warn } = createPalette(wantsColour())
  const isWhole = success || (left.length === 0 && fatalError !== undefined)
  const done = `${command === 'undo' ? 'Undone' : 'Redone'}${isWhole ? '' : ' in part'}`
  const lines = [
    `${strong(`${done}: run ${target}`)}${gitCommit === undefined ? '' : faint(` (commit ${gitCommit.slice(0, 12)})`)}`,
    ...restored.map((path) => `  ${escapeControls(path)}`),
    ...merged.map(({ path, marked }) =>
      `  ${escapeControls(path)}: ${marked ? bad('merged, with conflict markers: edit it') : 'merged'}`),
    ...kept.map(({ path, reason }) => `  ${warn('kept')} ${escapeControls(path)}: ${escapeControls(reason)}`),
    ...left.map(({ path, reason }) => `  ${bad('not put back')} ${escapeControls(path)}: ${escapeControls(reason)}`),
    ...warnings.map((warning) => warn(escapeControls(warning))),
    ...(fatalError === undefined ? [] : [bad(escapeControls(fatalError))]),
    `${plural(restored.length, 'path')} ${command === 'undo' ? 'as before' : 'as the run left them'}.`,
    ...(left.length === 0 ? [] : [`Mend what is named, then: hermes ${command}. It goes on where it stopped.`]),
  ]
  return `${lines.join('\n')}\n`
}

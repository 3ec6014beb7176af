import { createPalette, plural } from '../../../reports/src/index.js'
import { escapeControls, printableJson } from '../../../text/src/index.js'
import { recover, type RecoverOutcome } from '../../../transaction/src/index.js'
import type { Arguments } from '../arguments.js'
import { EXIT } from '../exit-codes.js'
import { interruptible } from '../interrupt.js'
import { print, wantsColour } from '../output.js'
import { withRefusals } from '../refusals.js'
import { hooksOfUser, transactionOptions } from '../transaction-options.js'

/** `hermes recover`: ends a run whose process died. */
export async function recoverCommand(args: Arguments): Promise<number> {
  const interrupt = interruptible()
  const options = {
    ...transactionOptions(args), restore: args.has('restore'), force: args.has('force'), signal: interrupt.signal,
  }
  return withRefusals(args, interrupt, async () => {
    const outcome = await recover({ ...options, hooks: await hooksOfUser(args, options.root) })
    const success = outcome.left.length === 0
    print(args.has('json') ? `${printableJson({ success, ...outcome })}\n` : renderRecovery(outcome))
    return success ? EXIT.ok : EXIT.failed
  })
}

function renderRecovery(
  { runId, restored, paths, left, gitCommit, ended = [], others = [], warnings = [] }: RecoverOutcome,
): string {
  const { bad, faint, strong } = createPalette(wantsColour())
  if (runId === undefined) return 'No interrupted run: nothing to recover.\n'
  const commit = gitCommit === undefined ? '' : faint(` (commit ${gitCommit.slice(0, 12)})`)
  return [
    `${strong(restored ? `Restored what was before run ${runId}` : `Finished run ${runId}`)}${commit}`,
    ...(ended.length > 0 ? ['  Ended what still ran of it: '
      + `${ended.map(({ pid, command }) => `${escapeControls(command)} (${pid})`).join(', ')}`] : []),
    ...paths.map((path) => `  ${escapeControls(path)}`),
    ...left.map(({ path, reason }) => `  ${bad('not put back')} ${escapeControls(path)}: ${escapeControls(reason)}`),
    restored ? `${plural(paths.filter((path) => !left.some((one) => one.path === path)).length, 'path')} as before.`
      : paths.length === 0 ? 'No path was changed.'
        : `${plural(paths.length, 'path')} changed; hermes undo takes ${paths.length === 1 ? 'it' : 'them'} back.`,
    ...warnings.map((warning) => `${bad('Note:')} ${escapeControls(warning)}`),
    ...(others.length > 0
      ? [`Another run was interrupted before it (${others.join(', ')}): run hermes recover again.`] : []),
    '',
  ].join('\n')
}

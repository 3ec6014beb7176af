import * as v from 'valibot'
import {
  defineVerb, flag, HermesError, text, toolPath, type ApprovedPath, type VerbContext,
} from '../../../../0-contracts/src/index.js'
import { changesDiff } from '../../../../1-reports/src/index.js'
import { OverlayFiles } from '../../../../2-files/src/index.js'
import { clip, escapeControls } from '../../../../0-text/src/index.js'
import { removableFile, removeTarget } from '../removable-file.js'

const VERB = 'delete_file'

/**
 * The verb of the core vocabulary, which asks the user unless the model writes `confirm: true`. Seed 004 `delete_file`
 * (FR-029 to FR-032); contract section 3 'core tools with `confirm`'.
 */
export const deleteFile = defineVerb({
  name: VERB,
  vocabulary: 'core',
  description: 'Delete a file. Of a symbolic link the link is deleted, not what it points to. Needs confirm: true, '
    + 'or the user is asked.',
  category: 'file_operations',
  type: 'write',
  constraints: ['Files and links only, no directories.'],
  primary: 'path',
  args: v.strictObject({
    path: toolPath('File to delete, absolute or relative to the root, e.g. "notes/old.md".'),
    confirm: flag('Safety check: true says that the file is really to be deleted; otherwise the user is asked. '
      + 'Default: false.', false),
  }),
  result: v.strictObject({ path: text('The deleted file, as written.') }),
  examples: [{ path: 'notes/old.md', confirm: true }],
  async handler({ path, confirm }, context) {
    const target = removableFile(VERB, path, context)
    if (!confirm) {
      const reason = `Delete the file '${escapeControls(clip(path, 500))}'`
      const diff = await diffOfDeleting(target, context)
      const consent = await context.approve({
        action: VERB, reason, kind: 'confirm', paths: [target], ...(diff !== undefined && { diff }),
      })
      if (consent !== 'granted') throw refused(path, consent)
    }
    await removeTarget(path, target, context)
    return { path }
  },
})

/** `undefined` where the file may not be on the disk here: in a dry run, whose changes are in memory, or elsewhere. */
async function diffOfDeleting(
  target: ApprovedPath, { dryRun, elsewhere, session }: VerbContext,
): Promise<string | undefined> {
  if (dryRun || elsewhere) return undefined
  const trial = new OverlayFiles()
  trial.remove(target)
  return changesDiff(trial.changes, session.root)
}

function refused(path: string, consent: 'denied' | 'unavailable'): HermesError {
  return consent === 'denied'
    ? new HermesError('APPROVAL_DENIED', `${VERB}: the user does not want '${path}' to be deleted`, {
      hint: 'Leave the file as it is, or ask the user what to do. Write confirm: true only when they agree.',
    })
    : new HermesError('APPROVAL_DENIED', `${VERB}: deleting '${path}' needs confirm: true or an approval`, {
      hint: 'Write confirm: true if the file is really to be deleted, or ask the user.',
    })
}

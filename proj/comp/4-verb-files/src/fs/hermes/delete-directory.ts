import { setImmediate } from 'node:timers/promises'
import * as v from 'valibot'
import { defineVerb, HermesError, isNodeError, path, type VerbContext } from '../../../../0-contracts/src/index.js'
import { formatNodeError, checkSignal } from '../../../../2-files/src/index.js'
import { removableDirectory } from '../removable-directory.js'
import { removableEntries, type RemovableEntry } from '../removable-entries.js'

const VERB = 'fs.deleteDirectory'
/** Number of entries deleted between two checks for cancellation. */
const AT_ONCE = 500

/** Deletes a directory with all its content. */
export const fsDeleteDirectory = defineVerb({
  name: VERB,
  vocabulary: 'hermes',
  description: 'Delete a directory with all it holds. Of symbolic links in it the links are deleted, not what they '
    + 'point to.',
  category: 'directory',
  type: 'write',
  constraints: [
    'One that holds what the policy denies, such as .git, or more than 100,000 entries, stays as it is.',
    'Never the root itself.',
  ],
  primary: 'path',
  args: v.strictObject({ path: path('Directory to delete, e.g. "build".') }),
  result: v.strictObject({}),
  examples: [{ path: 'build' }],
  async handler({ path: written }, context) {
    const directory = removableDirectory(VERB, written, context)
    const inside = removableEntries(VERB, written, directory, context, 'Delete')
    await removeAll([{ path: directory, shown: written, kind: 'directory' }, ...inside], context)
    return {}
  },
})

/** Removes entries, the innermost first. */
async function removeAll(entries: readonly RemovableEntry[], { files, signal }: VerbContext): Promise<void> {
  for (const [done, { path: target, shown, kind }] of entries.toReversed().entries()) {
    if (done % AT_ONCE === 0) {
      // Yield, so that an abort can arrive: removing is synchronous.
      await setImmediate()
      checkSignal(signal)
    }
    try {
      if (kind === 'directory') files.removeDirectory(target)
      else files.remove(target)
    } catch (error) {
      if (!isNodeError(error)) throw error
      // An entry already gone is fine.
      if (error.code !== 'ENOENT') throw stopped(error, shown, done, entries.length)
    }
  }
}

function stopped(error: Error & { code: string }, shown: string, done: number, all: number): HermesError {
  return new HermesError(error.code, formatNodeError(error, shown, VERB), {
    hint: `It stopped there: ${done} of ${all} entries are deleted, the others are left. fs.listDir lists them.`,
    cause: error,
  })
}

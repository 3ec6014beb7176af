import { readRun, statesOf } from '../../journal/index.js'
import { CommandChanges } from '../commands/command-changes.js'
import { beforeCommands } from '../undo/take-back.js'

/**
 * What a run found uncommitted, and did not commit either since only its commands changed it: when it is put back, it
 * is not to get into the history (it may be a secret, or unfinished). What a verb changed first was saved in a commit.
 *
 * @param of the run
 * @param runId of the one that takes it back or repeats it
 * @returns paths as the journal stores them; none where its journal is gone
 */
export async function unsavedBefore(root: string, of: string, runId: string): Promise<string[]> {
  const run = readRun(root, of)
  if (!run) return []
  const saved = new Set(statesOf({ operations: beforeCommands(run) }).changed().map(({ path }) => path))
  const paths = await (await CommandChanges.read(run, runId)).uncommittedBefore(root)
  return paths.filter((path) => !saved.has(path))
}

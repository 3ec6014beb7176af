import { orNothing, type ApprovedPath, type FileStore } from '../../../0-contracts/src/index.js'
import { getParentDirectory } from '../store/index.js'
import { writtenForm } from './written-form.js'

/**
 * Creates the directories that `approved` needs above it, then acts. When that fails they are taken away again.
 *
 * @param writtenPath the path as the model wrote it
 * @returns what `act` returned, and the created directories, outermost first, in the form the path was written
 */
export function withParents<T>(
  files: FileStore, writtenPath: string, approved: ApprovedPath, act: () => T,
): { value: T; createdDirs: string[] } {
  // What stands above an approved path is approved with it: the gate has looked at every name in it.
  const created = files.makeDirectories(getParentDirectory(approved) as ApprovedPath) as ApprovedPath[]
  try {
    return { value: act(), createdDirs: created.map((directory) => writtenForm(writtenPath, approved, directory)) }
  } catch (error) {
    // Another program may have put something in; the error that led here says more than that one.
    orNothing(() => created.toReversed().forEach((directory) => files.removeDirectory(directory)), undefined)
    throw error
  }
}

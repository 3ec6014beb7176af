import { dirname } from 'node:path'
import type { ApprovedPath, FileStore } from '../../contracts/src/index.js'
import { writtenForm } from './written-form.js'

/**
 * Creates the directories that `approved` needs above it.
 *
 * @param writtenPath the path as the model wrote it
 * @returns the created directories, outermost first, in the form the path was written
 */
export function createParents(files: FileStore, writtenPath: string, approved: ApprovedPath): string[] {
  // What stands above an approved path is approved with it: the gate has looked at every name in it.
  const parent = dirname(approved) as ApprovedPath
  return files.makeDirectories(parent).map((created) => writtenForm(writtenPath, approved, created))
}

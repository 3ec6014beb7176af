import type { VerbContext } from '../../../0-contracts/src/index.js'
import { approvePath, pathError, writtenForm } from '../../../2-files/src/index.js'

/**
 * Creates a directory with any missing parents; one that exists already is no error.
 *
 * @returns the created directories, outermost first, in the form the path was written
 * @throws HermesError `EEXIST` where a file is, and as the gate
 */
export function createDirectory(verb: string, path: string, { gate, files }: VerbContext): string[] {
  const target = approvePath(gate, verb, path, 'write')
  const stat = files.stat(target)
  if (stat && stat.kind !== 'directory') {
    throw pathError('EEXIST', verb, path, 'It is a file. Choose another path, or move the file away first.')
  }
  return files.makeDirectories(target).map((created) => writtenForm(path, target, created))
}

import { accessSync, constants } from 'node:fs'
import { caught, HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'

/**
 * The directory a program runs in: as written, or the root.
 * @param parameter that names it, for messages
 * @throws HermesError `ENOENT`, `ENOTDIR`, `EACCES`, and as the gate
 */
export function workingDirectory(
  verb: string, parameter: string, written: string | undefined,
  { gate, files, session, elsewhere }: VerbContext,
): string {
  const shown = written ?? session.root
  const directory = gate.approve(shown, 'read')
  const stat = files.stat(directory)
  const described = `${verb}: ${parameter} '${shown}'`
  if (stat?.kind === 'directory') {
    if (!elsewhere) requireEnterable(directory, described, parameter)
    return directory
  }
  if (stat === undefined) {
    throw new HermesError('ENOENT', `${described} does not exist (ENOENT)`, {
      hint: `Give an existing directory, create it first, or leave ${parameter} out to run in the root.`,
    })
  }
  throw new HermesError('ENOTDIR', `${described} is not a directory (ENOTDIR)`, {
    hint: `Give a directory, or leave ${parameter} out to run in the root.`,
  })
}

/** Checked before starting: the system's own error would name the program instead of the directory. */
function requireEnterable(directory: string, described: string, parameter: string): void {
  caught(isNodeError, () => accessSync(directory, constants.X_OK), (error) => {
    throw new HermesError(error.code, `${described} may not be entered (${error.code})`, {
      hint: `Give another directory, or leave ${parameter} out to run in the root.`,
    })
  })
}

import { type ApprovedPath, HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { missingPath, pathError } from '../../../2-files/src/index.js'

/** The error for a file that is there already and was not to be replaced. */
export function fileExists(verb: string, path: string): HermesError {
  return pathError('EEXIST', verb, path, 'Write overwrite: true to replace it, or another path.')
}

/**
 * The error for a new file in a directory that is missing, where none is created.
 *
 * @param target where the file would be
 */
export function parentMissing(
  verb: string, path: string, target: ApprovedPath, context: Pick<VerbContext, 'gate' | 'files' | 'vocabulary'>,
): HermesError {
  const { code, message, hint } = missingPath(verb, path, target, context)
  const remedy = verb === 'write_file'
    ? 'Or write create_directories: true to create it.'
    : 'write_file creates a directory when it writes a file there with create_directories: true.'
  return new HermesError(code, message, { hint: hint === undefined ? remedy : `${hint} ${remedy}` })
}

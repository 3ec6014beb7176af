import { isNodeError } from '../../contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../contracts/src/index.js'
import { readText } from '../../files/src/index.js'
import { approvePath, missingPath, pathError } from '../../verb-paths/src/index.js'

/**
 * Reads a text file that must exist, BOM and line endings kept.
 *
 * @param access `write` when the file is going to be changed
 * @throws HermesError `ENOENT` with the nearest name, `ENOTDIR`, `EISDIR`, `NOT_TEXT`, `FILE_TOO_LARGE`,
 *   `POLICY_DENIED`
 */
export function readExisting(
  verb: string, path: string, access: 'read' | 'write', context: VerbContext,
): { target: ApprovedPath; content: string } {
  const target = approvePath(context.gate, verb, path, access)
  try {
    return { target, content: readText(context.files, target, context.limits.maxFileBytes, path) }
  } catch (error) {
    if (isNodeError(error)) {
      if (error.code === 'ENOENT') throw missingPath(verb, path, target, context)
      if (error.code === 'EISDIR') throw pathError('EISDIR', verb, path, 'It is a directory; ls lists what is in it.')
    }
    throw error
  }
}

import { type ApprovedPath, HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { readText, approvePath, missingPath, pathError } from '../../../2-files/src/index.js'
import type { IndexScope } from '../../../3-code-index/src/index.js'

const VERB = 'semantic_search'

/**
 * What a call is about: a directory, or a file that can be searched.
 *
 * @throws HermesError `ENOENT`, `ENOTDIR`, `EISDIR`, for a file also `FILE_TOO_LARGE`, `NOT_TEXT`
 */
export function searchScope(
  scope: 'workspace' | 'directory' | 'file', path: string | undefined, context: VerbContext,
): IndexScope {
  const start = approvePath(context.gate, VERB, path ?? '.', 'read')
  const stat = context.files.stat(start)
  if (stat === undefined) throw missingPath(VERB, path ?? '.', start, context)
  if (stat.kind === 'directory') {
    if (scope === 'file') throw pathError('EISDIR', VERB, path ?? '.', 'Write scope: directory to search it.')
    return { start, kind: 'directory', shown: path ?? '', verb: VERB }
  }
  if (scope === 'directory') throw pathError('ENOTDIR', VERB, path ?? '.', 'Write scope: file to search a file.')
  requireText(start, path ?? '.', context)
  return { start, kind: 'file', shown: path ?? '.', verb: VERB }
}

function requireText(path: ApprovedPath, shown: string, { files, limits }: VerbContext): void {
  if (!readText(files, path, limits.maxFileBytes, shown).includes('\0')) return
  throw new HermesError('NOT_TEXT', `File is not UTF-8 text: ${shown}`, {
    hint: 'It looks like a binary file. Use a command that knows its format.',
  })
}

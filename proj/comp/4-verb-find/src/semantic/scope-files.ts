import { HermesError } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { readText, approvePath, missingPath, pathError } from '../../../2-files/src/index.js'
import { findFiles } from './find-files.js'
import type { FoundFile } from './refresh.js'

const VERB = 'semantic_search'

export interface Scope {
  files: FoundFile[]
  /** There are more. */
  isCut: boolean
  /** All that is found below this directory is in `files`. */
  directory?: ApprovedPath
}

/**
 * The files a call is about.
 *
 * @throws HermesError `ENOENT`, `ENOTDIR`, `EISDIR`, for a file also `FILE_TOO_LARGE`, `NOT_TEXT`
 */
export async function scopeFiles(
  scope: 'workspace' | 'directory' | 'file', path: string | undefined, context: VerbContext,
): Promise<Scope> {
  const start = approvePath(context.gate, VERB, path ?? '.', 'read')
  const stat = context.files.stat(start)
  if (stat === undefined) throw missingPath(VERB, path ?? '.', start, context)
  if (stat.kind === 'directory') {
    if (scope === 'file') throw pathError('EISDIR', VERB, path ?? '.', 'Write scope: directory to search it.')
    const found = await findFiles(start, path ?? '', context)
    return { ...found, directory: start }
  }
  if (scope === 'directory') throw pathError('ENOTDIR', VERB, path ?? '.', 'Write scope: file to search a file.')
  return { files: [namedFile(start, path ?? '.', stat.size, stat.mtimeMs, context)], isCut: false }
}

/** A file that is asked for must be one that can be searched. */
function namedFile(
  path: ApprovedPath, shown: string, size: number, mtimeMs: number, { files, limits }: VerbContext,
): FoundFile {
  const text = readText(files, path, limits.maxFileBytes, shown)
  if (!text.includes('\0')) return { path, shown, size, mtimeMs }
  throw new HermesError('NOT_TEXT', `File is not UTF-8 text: ${shown}`, {
    hint: 'It looks like a binary file. Use a command that knows its format.',
  })
}

import { basename } from 'node:path'
import { type ApprovedPath, HermesError, type VerbContext } from '../../0-contracts/src/index.js'
import { approvePath, compilePattern, missingPath, pathError } from '../../2-files/src/index.js'

/** A file or directory that a call names. */
export interface CalledPath {
  start: ApprovedPath
  kind: 'file' | 'directory'
}

/** @throws HermesError `ENOENT`; `EACCES` for what is neither a file nor a directory; and as `approvePath` */
export function calledPath(verb: string, path: string, context: VerbContext): CalledPath {
  const start = approvePath(context.gate, verb, path, 'read')
  const stat = context.files.stat(start)
  if (stat === undefined) throw missingPath(verb, path, start, context)
  if (stat.kind === 'file' || stat.kind === 'directory') return { start, kind: stat.kind }
  throw pathError('EACCES', verb, path, 'It is neither a file nor a directory.')
}

/**
 * Which paths below a directory a pattern means: by their names, or where it has a `/` by the whole path. Without one,
 * all.
 *
 * @throws HermesError `INVALID_PARAMETER`
 */
export function pathFilter(
  verb: string, parameter: 'pattern' | 'include', pattern: string | undefined,
): (relative: string) => boolean {
  if (pattern === undefined) return () => true
  const { matches } = compilePattern(verb, parameter, pattern, { dot: true })
  return pattern.includes('/') ? matches : (relative) => matches(basename(relative))
}

/** The error for a file in a language that nothing here reads. */
export function noLanguage(verb: string, path: string, hint: string): HermesError {
  return new HermesError('INVALID_PARAMETER', `${verb}: ${basename(path)} is in no language it can parse`, { hint })
}

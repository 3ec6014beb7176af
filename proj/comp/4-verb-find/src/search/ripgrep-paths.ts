import { join } from 'node:path'
import { HermesError, type ApprovedPath, type VerbContext } from '../../../0-contracts/src/index.js'
import { approveIfAllowed } from '../../../2-files/src/index.js'
import { comparePaths } from './compare-paths.js'
import { invalidRegex } from './line-matcher.js'
import type { SearchedFile, SearchRequest } from './search-request.js'

/** A file or directory that could not be read; ENOENT (2) is one that vanished meanwhile. */
const UNREADABLE = /^rg: (.*?): (?:IO error for operation on .*: )?[^:]*\(os error (\d+)\)$/

/** What the paths that ripgrep writes stand for. */
export type RipgrepPaths = ReturnType<typeof ripgrepPaths>

/** @param prefix what ripgrep writes before the path below the start */
export function ripgrepPaths(request: SearchRequest, prefix: string, { gate }: VerbContext) {
  const { start, isFile, includes } = request
  const approve = (relative: string): ApprovedPath | undefined => (
    isFile ? start : approveIfAllowed(gate, join(start, relative), 'read')
  )
  /** Below the start; `undefined` for what is not below it. */
  const relativeOf = (path: string): string | undefined => {
    if (isFile) return path === prefix ? '' : undefined
    return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
  }
  return {
    relativeOf,
    /** A file that the request is about and the gate lets through. */
    accept(relative: string): SearchedFile | undefined {
      const path = isFile || includes(relative) ? approve(relative) : undefined
      return path && { path, relative }
    },
    /** What ripgrep could not read, sorted, as far as the gate lets it through. @throws as `complaints` */
    unreadable(complained: string): string[] {
      const named = complaints(complained, request).flatMap((path) => relativeOf(path) ?? [])
      return [...new Set(named)].filter((relative) => approve(relative) !== undefined).sort(comparePaths)
    },
  }
}

/**
 * Reads ripgrep's standard error.
 *
 * @returns the paths it could not read
 * @throws HermesError `INVALID_PARAMETER` where it did not take the regular expression
 */
function complaints(text: string, { isRegex }: SearchRequest): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const paths: string[] = []
  for (const [index, line] of lines.entries()) {
    const [, path, code] = UNREADABLE.exec(line) ?? []
    if (path !== undefined) {
      if (code !== '2') paths.push(path)
    } else if (line.startsWith('rg: ')) {
      const error = lines.slice(index).find((other) => other.startsWith('error: ')) ?? line
      const problem = error.replace(/^\w+: /, '')
      if (isRegex) throw invalidRegex(problem)
      throw new HermesError('INTERNAL', `search_files: ripgrep failed: ${problem}`, {
        hint: 'Search for a shorter text.',
      })
    }
  }
  return paths
}

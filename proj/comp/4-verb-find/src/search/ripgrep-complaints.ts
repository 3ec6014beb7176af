import { HermesError } from '../../../0-contracts/src/index.js'
import { invalidRegex } from './line-matcher.js'
import type { SearchRequest } from './search-request.js'

/** A file or directory that could not be read; ENOENT (2) is one that vanished meanwhile. */
const UNREADABLE = /^rg: (.*?): (?:IO error for operation on .*: )?[^:]*\(os error (\d+)\)$/

/**
 * Reads ripgrep's standard error.
 *
 * @returns the paths it could not read
 * @throws HermesError `INVALID_PARAMETER` where it did not take the regular expression
 */
export function complaints(text: string, { isRegex }: SearchRequest): string[] {
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

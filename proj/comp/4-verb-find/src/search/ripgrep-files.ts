import type { VerbContext } from '../../../0-contracts/src/index.js'
import { nameOfBytes } from '../../../0-text/src/index.js'
import { comparePaths } from './compare-paths.js'
import { checkRepeats } from './line-matcher.js'
import { commonOptions } from './ripgrep-options.js'
import { ripgrepPaths } from './ripgrep-paths.js'
import { withRipgrepScope } from './ripgrep-scope.js'
import { runRipgrep } from './run-ripgrep.js'
import type { SearchedFile, SearchRequest } from './search-request.js'

/** Most files held in memory. */
const MOST_FILES = 500_000
const NUL = 0
const NEWLINE = 10

export interface RipgrepFiles {
  /** Sorted by path; `count` is the number of matching lines, or 1 if that was not asked for. */
  files: (SearchedFile & { count: number })[]
  unreadable: string[]
}

/**
 * The files in which ripgrep finds a match. While walking it may follow a link that another program puts in place of a
 * directory, so contents must be read through the store.
 *
 * @param asked `lines`: also count matching lines
 * @param matching ripgrep's options that define a match
 * @returns `undefined` where ripgrep cannot do it
 * @throws HermesError `INVALID_PARAMETER` for an invalid regular expression; `CANCELLED`, `TIMEOUT`
 */
export async function ripgrepFiles(
  program: string, asked: 'files' | 'lines', matching: readonly string[], request: SearchRequest, context: VerbContext,
): Promise<RipgrepFiles | undefined> {
  if (request.isRegex) await checkRepeats(request.query)
  const pathReader = new PathReader()
  return withRipgrepScope(request, context, async (scope) => {
    const args = [
      ...commonOptions(request), asked === 'lines' ? '--count' : '--files-with-matches', ...matching, ...scope.args,
    ]
    const ran = await runRipgrep(program, args, scope.cwd, pathReader, context)
    if (ran === undefined || ran === 'memory' || pathReader.isFull()) return undefined
    const paths = ripgrepPaths(request, scope.prefix, context)
    const accepted = [...pathReader.counts].flatMap(([path, count]) => {
      const relative = paths.relativeOf(path)
      const file = relative === undefined ? undefined : paths.accept(relative)
      return file ? [{ ...file, count }] : []
    })
    const unreadable = paths.unreadable(ran.complained)
    return { files: accepted.sort((a, b) => comparePaths(a.relative, b.relative)), unreadable }
  })
}

/**
 * Reads the output of `--files-with-matches --null` (each path ends with NUL) and `--count --null` (NUL, number, line
 * feed).
 */
class PathReader {
  readonly counts = new Map<string, number>()
  #pending: Buffer = Buffer.alloc(0)

  isFull(): boolean {
    return this.counts.size > MOST_FILES
  }

  push(piece: Buffer): void {
    const all = this.#pending.length === 0 ? piece : Buffer.concat([this.#pending, piece])
    let from = 0
    for (;;) {
      const nul = all.indexOf(NUL, from)
      if (nul === -1 || nul + 1 === all.length) break
      const isCounted = all[nul + 1]! >= 0x30 && all[nul + 1]! <= 0x39
      const end = isCounted ? all.indexOf(NEWLINE, nul) : nul
      if (end === -1) break
      const count = isCounted ? Number(all.toString('latin1', nul + 1, end)) : 1
      this.counts.set(nameOfBytes(all.subarray(from, nul)), count)
      from = end + 1
    }
    this.#pending = all.subarray(from)
  }

  end(): void {
    const nul = this.#pending.indexOf(NUL)
    if (nul !== -1) this.counts.set(nameOfBytes(this.#pending.subarray(0, nul)), 1)
  }
}

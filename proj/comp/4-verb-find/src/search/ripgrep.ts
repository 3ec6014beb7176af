import { HermesError, unless, type VerbContext } from '../../../0-contracts/src/index.js'
import { findPackage, isMissing, verifiedPath } from '../../../2-packages/src/index.js'
import { checkRepeats } from './line-matcher.js'
import { plainSearch } from './plain-search.js'
import { comparePaths } from './compare-paths.js'
import { RipgrepMatches } from './ripgrep-matches.js'
import { commonOptions } from './ripgrep-options.js'
import { RipgrepReader } from './ripgrep-records.js'
import { type RipgrepScope, withRipgrepScope } from './ripgrep-scope.js'
import { runRipgrep } from './run-ripgrep.js'
import type { SearchOutcome, SearchRequest } from './search-request.js'

/** Most matches collected in any order, from which the first are chosen; at least twice the number wanted. */
const MOST_UNSORTED = 2000
/** Longest line printed, in bytes; longer lines are read from the file. UTF-8 of 2,000 UTF-16 units always fits. */
const LONGEST_PRINTED = 8000
/** Size in bytes from which files are searched without ripgrep, once it ran out of memory. */
const LARGE_BYTES = 8 * 1024 ** 2

/**
 * Path of the ripgrep of `@vscode/ripgrep`; `undefined` if it is not installed, has none for this machine, or lies
 * where runs may write and differs from the one hermes was built with.
 */
export function findRipgrep(): string | undefined {
  const name = `@vscode/ripgrep-${process.platform}-${process.arch}`
  const directory = findPackage(name, ['@vscode/ripgrep'])
  if (directory === undefined) return undefined
  return unless((error) => error instanceof HermesError || isMissing(error), () => (
    verifiedPath(name, directory, process.platform === 'win32' ? 'bin/rg.exe' : 'bin/rg')
  ), undefined)
}

/**
 * Searches with ripgrep on the disk: only below the start, which the path gate approved, and through no link. First it
 * runs on all cores. If there are far too many matches, it is chance which came first, so it runs again sorted by path
 * until there are enough, which is soon then.
 *
 * @returns `undefined` where it cannot be started, or hangs: then use `plainSearch`
 * @throws HermesError `INVALID_PARAMETER` for an invalid regular expression; `CANCELLED`
 */
export async function ripgrepSearch(
  program: string, request: SearchRequest, context: VerbContext,
): Promise<SearchOutcome | undefined> {
  if (request.isRegex) await checkRepeats(request.query)
  const outcome = await searchOnce(program, [], request, context)
  if (outcome !== 'memory') return outcome
  // Some line is too long for ripgrep: search large files in pieces.
  const [small, large] = await Promise.all([
    searchOnce(program, [`--max-filesize=${LARGE_BYTES}`], request, context),
    plainSearch(request, context, LARGE_BYTES + 1),
  ])
  return small === 'memory' || small === undefined ? undefined : joined(small, large, request.most)
}

function joined(searchOutcome: SearchOutcome, other: SearchOutcome, most: number): SearchOutcome {
  const matches = [...searchOutcome.matches, ...other.matches]
    .sort((a, b) => comparePaths(a.relative, b.relative) || a.line - b.line)
  return {
    matches: matches.slice(0, most), truncated: searchOutcome.truncated || other.truncated || matches.length > most,
    unreadable: [...new Set([...searchOutcome.unreadable, ...other.unreadable])].sort(comparePaths),
  }
}

async function searchOnce(
  program: string, further: readonly string[], request: SearchRequest, context: VerbContext,
): Promise<SearchOutcome | 'memory' | undefined> {
  return withRipgrepScope(request, context, async (scope) => {
    const plenty = Math.max(MOST_UNSORTED, 2 * request.most)
    const unsorted = await collect(program, further, plenty, scope, request, context)
    // One more than wanted shows that there are more.
    const matches = unsorted !== 'memory' && unsorted?.isFull
      ? await collect(program, [...further, '--sort=path'], request.most + 1, scope, request, context)
      : unsorted
    return matches === 'memory' ? matches : await matches?.outcome()
  })
}

async function collect(
  program: string, order: readonly string[], enough: number, scope: RipgrepScope, request: SearchRequest,
  context: VerbContext,
): Promise<RipgrepMatches | 'memory' | undefined> {
  const matches = new RipgrepMatches(request, scope.prefix, enough, context)
  const args = [
    ...commonOptions(request), '--no-heading', '--field-match-separator=\\x00', '--line-number', '--column',
    `--max-columns=${LONGEST_PRINTED}`, `--max-count=${request.most + 1}`, '--crlf',
    ...(request.isRegex ? [] : ['--fixed-strings']), `--regexp=${request.query}`, ...order, ...scope.args,
  ]
  const reader = new RipgrepReader((record) => matches.add(record), (path) => matches.drop(path))
  const sink = { isFull: () => matches.isFull, push: (piece: Buffer) => reader.push(piece), end: () => reader.end() }
  const ran = await runRipgrep(program, args, scope.cwd, sink, context)
  if (ran === undefined || ran === 'memory') return ran
  matches.complain(ran.complained)
  return matches
}

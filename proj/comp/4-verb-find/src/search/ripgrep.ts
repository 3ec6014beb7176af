import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { findPackage, isMissing, verifiedPath } from '../../../2-packages/src/index.js'
import { complaints } from './ripgrep-complaints.js'
import { checkRepeats } from './line-matcher.js'
import { plainSearch } from './plain-search.js'
import { comparePaths } from './compare-paths.js'
import { RipgrepMatches } from './ripgrep-matches.js'
import { commonOptions } from './ripgrep-options.js'
import { RipgrepReader } from './ripgrep-records.js'
import { type RipgrepScope, ripgrepScope } from './ripgrep-scope.js'
import { runRipgrep } from './run-ripgrep.js'
import type { SearchOutcome, SearchRequest } from './search-request.js'

/** Matches collected of those that come in any order, to choose the first ones from; at least twice the wanted. */
const MOST_UNSORTED = 2000
/** Bytes of a line that are printed; longer lines are read from the file. UTF-8 of 2,000 UTF-16 units always fits. */
const LONGEST_PRINTED = 8000
/** Larger files are not ripgrep's where it runs out of memory, in bytes. */
const LARGE_BYTES = 8 * 1024 ** 2

/**
 * The ripgrep of `@vscode/ripgrep`; `undefined` where it is not installed, has none for this machine, or is not what
 * hermes was built with where runs may write.
 */
export function findRipgrep(arch: string = process.arch): string | undefined {
  const name = `@vscode/ripgrep-${process.platform}-${arch}`
  const directory = findPackage(name, ['@vscode/ripgrep'])
  if (directory === undefined) return undefined
  try {
    return verifiedPath(name, directory, process.platform === 'win32' ? 'bin/rg.exe' : 'bin/rg')
  } catch (error) {
    if (error instanceof HermesError || isMissing(error)) return undefined
    throw error
  }
}

/**
 * The search by ripgrep itself, on the disk: only below the start, which the gate has approved, and through no link.
 * It runs on all cores until there are far too many matches; then, since which ones came first is chance, once more in
 * the order of paths until there are enough, which is soon where there are so many.
 *
 * @returns `undefined` where it cannot be started, or waits for what never comes: then the plain search does it
 * @throws HermesError `INVALID_PARAMETER` for a regular expression that is none; `CANCELLED`
 */
export async function ripgrepSearch(
  program: string, request: SearchRequest, context: VerbContext,
): Promise<SearchOutcome | undefined> {
  if (request.isRegex) await checkRepeats(request.query)
  const outcome = await searchOnce(program, [], request, context)
  if (outcome !== 'memory') return outcome
  // Some line is too long for ripgrep: what is large is searched piece by piece.
  const [small, large] = await Promise.all([
    searchOnce(program, [`--max-filesize=${LARGE_BYTES}`], request, context),
    plainSearch(request, context, LARGE_BYTES + 1),
  ])
  return small === 'memory' || small === undefined ? undefined : joined(small, large, request.most)
}

function joined(one: SearchOutcome, other: SearchOutcome, most: number): SearchOutcome {
  const matches = [...one.matches, ...other.matches]
    .sort((a, b) => comparePaths(a.relative, b.relative) || a.line - b.line)
  return {
    matches: matches.slice(0, most), truncated: one.truncated || other.truncated || matches.length > most,
    unreadable: [...new Set([...one.unreadable, ...other.unreadable])].sort(comparePaths),
  }
}

async function searchOnce(
  program: string, further: readonly string[], request: SearchRequest, context: VerbContext,
): Promise<SearchOutcome | 'memory' | undefined> {
  const scope = ripgrepScope(request, context)
  try {
    const plenty = Math.max(MOST_UNSORTED, 2 * request.most)
    const unsorted = await collect(program, further, plenty, scope, request, context)
    // One more than wanted tells that there are more.
    const matches = unsorted !== 'memory' && unsorted?.isFull
      ? await collect(program, [...further, '--sort=path'], request.most + 1, scope, request, context)
      : unsorted
    return matches === 'memory' ? matches : await matches?.outcome()
  } finally {
    scope.dispose()
  }
}

async function collect(
  program: string, order: readonly string[], enough: number, scope: RipgrepScope, request: SearchRequest,
  context: VerbContext,
): Promise<RipgrepMatches | 'memory' | undefined> {
  const matches = new RipgrepMatches(request, scope.prefix, enough, context)
  const args = [...optionsOf(request), ...order, ...scope.args]
  const reader = new RipgrepReader((record) => matches.add(record), (path) => matches.drop(path))
  const sink = {
    get isFull() {
      return matches.isFull
    },
    push: (piece: Buffer) => reader.push(piece),
    end: () => reader.end(),
  }
  const ran = await runRipgrep(program, args, scope.cwd, sink, context)
  if (ran === undefined || ran === 'memory') return ran
  for (const path of complaints(ran.complained, request)) matches.addUnreadable(path)
  return matches
}

function optionsOf(request: SearchRequest): string[] {
  return [
    ...commonOptions(request), '--no-heading', '--field-match-separator=\\x00', '--line-number', '--column',
    `--max-columns=${LONGEST_PRINTED}`, `--max-count=${request.most + 1}`, '--crlf',
    ...(request.isRegex ? [] : ['--fixed-strings']), `--regexp=${request.query}`,
  ]
}

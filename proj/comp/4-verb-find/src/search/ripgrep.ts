import { HermesError, type VerbContext } from '../../../0-contracts/src/index.js'
import { findPackage, isMissing, verifiedPath } from '../../../2-packages/src/index.js'
import { complaints } from './ripgrep-complaints.js'
import { RipgrepMatches } from './ripgrep-matches.js'
import { type RipgrepScope, ripgrepScope } from './ripgrep-scope.js'
import { runRipgrep } from './run-ripgrep.js'
import type { SearchOutcome, SearchRequest } from './search-request.js'

/** Matches collected of those that come in any order, to choose the first ones from; at least twice the wanted. */
const MOST_UNSORTED = 2000
/** Bytes of a line that are printed; longer lines are read from the file. UTF-8 of 2,000 UTF-16 units always fits. */
const LONGEST_PRINTED = 8000
/** What the gate denies anyway need not be read. */
const DENIED = ['.git', '.hermes', '.hermes-tmp-*', '.ssh', 'hermes.yaml']

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
  const scope = ripgrepScope(request, context)
  try {
    const plenty = Math.max(MOST_UNSORTED, 2 * request.most)
    const unsorted = await collect(program, [], plenty, scope, request, context)
    // One more than wanted tells that there are more.
    const matches = unsorted?.isFull
      ? await collect(program, ['--sort=path'], request.most + 1, scope, request, context)
      : unsorted
    return await matches?.outcome()
  } finally {
    scope.dispose()
  }
}

async function collect(
  program: string, order: readonly string[], enough: number, scope: RipgrepScope, request: SearchRequest,
  context: VerbContext,
): Promise<RipgrepMatches | undefined> {
  const matches = new RipgrepMatches(request, scope.prefix, enough, context)
  const args = [...optionsOf(request), ...order, ...scope.args]
  const complained = await runRipgrep(program, args, scope.cwd, matches, context)
  if (complained === undefined) return undefined
  for (const path of complaints(complained, request)) matches.addUnreadable(path)
  return matches
}

function optionsOf({ query, isRegex, caseSensitive, most, nameGlob }: SearchRequest): string[] {
  return [
    '--no-config', '--color=never', '--no-heading', '--with-filename', '--null', '--field-match-separator=\\x00',
    '--line-number', '--column', '--path-separator=/', `--max-columns=${LONGEST_PRINTED}`, `--max-count=${most + 1}`,
    '--no-mmap', '--crlf', '--hidden', '--no-follow', '--no-require-git', '--no-ignore-parent', '--no-ignore-global',
    '--no-ignore-messages',
    ...DENIED.map((name) => `--iglob=!${name}`),
    ...(nameGlob === undefined ? [] : [`--type-add=searched:${nameGlob}`, '--type=searched']),
    ...(isRegex ? [] : ['--fixed-strings']),
    caseSensitive ? '--case-sensitive' : '--ignore-case',
    `--regexp=${query}`,
  ]
}

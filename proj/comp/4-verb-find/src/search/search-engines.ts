import type { VerbContext } from '../../../0-contracts/src/index.js'
import { isOddName } from '../../../0-text/src/index.js'
import { countEach, plainSearch, searchEach, walkedFiles, type CountPage } from './plain-search.js'
import { fileEncoding } from './file-encodings.js'
import type { ripgrepFiles } from './ripgrep-files.js'
import type { CountOutcome, SearchOutcome, SearchRequest } from './search-request.js'

/** Finds the first matches, by ripgrep where possible; it sees only the disk, not what a dry run would have written. */
export async function findMatches(request: SearchRequest, context: VerbContext): Promise<SearchOutcome> {
  const program = await ripgrepFor(request, context)
  if (program === undefined) return plainSearch(request, context)
  const { ripgrepSearch } = await import('./ripgrep.js')
  if (!request.multiline) return await ripgrepSearch(program, request, context) ?? plainSearch(request, context)
  const files = await multilineFiles(program, request, context)
  return files ? searchEach(files.files, request, context, files.unreadable) : plainSearch(request, context)
}

/** Counts the matches of files, by the same engine. */
export async function countMatches(
  request: SearchRequest, page: CountPage, context: VerbContext,
): Promise<CountOutcome> {
  const program = await ripgrepFor(request, context)
  const counted = program === undefined ? undefined : await countByLines(program, request, page, context)
  if (counted) return counted
  const files = program === undefined ? undefined : await filesByRipgrep(program, request, page, context)
  if (files) return countEach(files.files, request, page, context, files.unreadable)
  const unreadable: string[] = []
  return countEach(walkedFiles(request, context, unreadable), request, page, context, unreadable)
}

/**
 * Syntax that RE2 reads differently from ripgrep, or not at all: word boundaries, escapes, flags, and contents of
 * classes.
 */
const READ_OTHERWISE = /\\[bBuU<>]|\(\?[^:P<]|&&|--|~~|\[[^\]]*(?:\[|\\[A-Z])/
/** Most matching lines collected for counting. */
const MOST_COUNTED = 20_000

/**
 * Counts the lines that both ripgrep finds and the store has, for expressions that RE2 reads differently.
 *
 * @returns `undefined` where RE2 reads the expression alike, and where there are too many lines
 */
async function countByLines(
  program: string, request: SearchRequest, { offset, most }: CountPage, context: VerbContext,
): Promise<CountOutcome | undefined> {
  if (request.multiline || !request.isRegex || !READ_OTHERWISE.test(request.query)) return undefined
  const { ripgrepSearch } = await import('./ripgrep.js')
  const searchOutcome = await ripgrepSearch(program, { ...request, most: MOST_COUNTED }, context)
  if (!searchOutcome || searchOutcome.truncated) return undefined
  const counts = new Map<string, number>()
  for (const { relative } of searchOutcome.matches) counts.set(relative, (counts.get(relative) ?? 0) + 1)
  return {
    files: [...counts].slice(offset, offset + most).map(([relative, count]) => ({ relative, count })),
    totalFiles: counts.size, totalMatches: searchOutcome.matches.length, unreadable: searchOutcome.unreadable,
  }
}

/** Most files examined for another encoding. */
const MOST_LOOKED_AT = 2000

/**
 * The first files by path in which text beyond ASCII cannot be found, since their encoding is unknown.
 *
 * @throws HermesError `CANCELLED`
 */
export async function undecodedFiles(request: SearchRequest, most: number, context: VerbContext): Promise<string[]> {
  const program = await ripgrepFor(request, context)
  // Files with a line that ripgrep cannot decode.
  const matching = ['--invert-match', '--regexp=^.*$']
  const files = program === undefined ? undefined : await byRipgrep(program, 'files', matching, request, context)
  const suspects = files?.files
  const undecoded: string[] = []
  let looked = 0
  for await (const { path, relative } of suspects ?? walkedFiles(request, context, [])) {
    if (undecoded.length === most || (suspects && looked++ === MOST_LOOKED_AT)) break
    if (await fileEncoding(path, context) === 'unknown') undecoded.push(relative)
  }
  return undecoded
}

/** `ripgrepFiles`, loaded when it is needed. */
async function byRipgrep(...args: Parameters<typeof ripgrepFiles>) {
  return (await import('./ripgrep-files.js')).ripgrepFiles(...args)
}

/** Ripgrep's path, if it can be used: not for a name that is not UTF-8, nor beyond this machine's disk. */
async function ripgrepFor({ start }: SearchRequest, { dryRun, elsewhere }: VerbContext): Promise<string | undefined> {
  return dryRun || elsewhere || isOddName(start) ? undefined : (await import('./ripgrep.js')).findRipgrep()
}

async function filesByRipgrep(program: string, request: SearchRequest, { counts }: CountPage, context: VerbContext) {
  if (request.multiline) return multilineFiles(program, request, context, counts)
  const matching = ['--crlf', ...(request.isRegex ? [] : ['--fixed-strings']), `--regexp=${request.query}`]
  return byRipgrep(program, counts ? 'lines' : 'files', matching, request, context)
}

/**
 * The files with matches that span lines: ripgrep only says which files these are.
 *
 * @param counts whether matches of all files must be counted: ripgrep cannot do that
 */
async function multilineFiles(program: string, request: SearchRequest, context: VerbContext, counts = false) {
  const { sieveExpression } = await import('./multiline-search.js')
  const expression = sieveExpression(request)
  if (expression === undefined) return undefined
  const matching = ['--crlf', '--multiline', `--regexp=${expression}`]
  const files = await byRipgrep(program, 'files', matching, request, context)
  if (!files || !counts) return files
  return { ...files, files: files.files.map(({ path, relative }) => ({ path, relative })) }
}

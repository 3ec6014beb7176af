import type { VerbContext } from '../../../0-contracts/src/index.js'
import { isOddName } from '../../../0-text/src/index.js'
import { countEach, plainSearch, searchEach, walkedFiles, type CountPage } from './plain-search.js'
import { fileEncoding } from './file-encodings.js'
import type { CountOutcome, SearchedFile, SearchOutcome, SearchRequest } from './search-request.js'

/** The first matches, by ripgrep where there is one; it sees the disk only, not what a dry run would have written. */
export async function findMatches(request: SearchRequest, context: VerbContext): Promise<SearchOutcome> {
  const program = await ripgrepFor(request, context)
  if (program === undefined) return plainSearch(request, context)
  const { ripgrepSearch } = await import('./ripgrep.js')
  if (!request.multiline) return await ripgrepSearch(program, request, context) ?? plainSearch(request, context)
  const files = await multilineFiles(program, request, context)
  return files ? searchEach(files.files, request, context, files.unreadable) : plainSearch(request, context)
}

/** The files with a match, by the same engine. */
export async function countMatches(
  request: SearchRequest, page: CountPage, context: VerbContext,
): Promise<CountOutcome> {
  const program = await ripgrepFor(request, context)
  const counted = program === undefined ? undefined : await countByLines(program, request, page, context)
  if (counted) return counted
  const found = program === undefined ? undefined : await filesByRipgrep(program, request, page, context)
  if (found) return countEach(found.files, request, page, context, found.unreadable)
  const unreadable: string[] = []
  return countEach(walkedFiles(request, context, unreadable), request, page, context, unreadable)
}

/** What RE2 takes otherwise than ripgrep, or not at all: word boundaries, escapes, flags, and what classes hold. */
const READ_OTHERWISE = /\\[bBuU<>]|\(\?[^:P<]|&&|--|~~|\[[^\]]*(?:\[|\\[A-Z])/
/** Matching lines that are collected to be counted. */
const MOST_COUNTED = 20_000

/**
 * Counts the lines that ripgrep finds and the store has, where RE2 would say otherwise in which files there are any.
 *
 * @returns `undefined` where RE2 says the same, and where there are too many
 */
async function countByLines(
  program: string, request: SearchRequest, { offset, most }: CountPage, context: VerbContext,
): Promise<CountOutcome | undefined> {
  if (request.multiline || !request.isRegex || !READ_OTHERWISE.test(request.query)) return undefined
  const { ripgrepSearch } = await import('./ripgrep.js')
  const found = await ripgrepSearch(program, { ...request, most: MOST_COUNTED }, context)
  if (!found || found.truncated) return undefined
  const counts = new Map<string, number>()
  for (const { relative } of found.matches) counts.set(relative, (counts.get(relative) ?? 0) + 1)
  return {
    files: [...counts].slice(offset, offset + most).map(([relative, count]) => ({ relative, count })),
    totalFiles: counts.size, totalMatches: found.matches.length, unreadable: found.unreadable,
  }
}

/** Files that are looked at, of those that may be in another encoding. */
const MOST_LOOKED_AT = 2000

/**
 * Files in which no text beyond ASCII is found, since nothing says in which encoding they are: the first ones by path.
 *
 * @throws HermesError `CANCELLED`
 */
export async function undecodedFiles(request: SearchRequest, most: number, context: VerbContext): Promise<string[]> {
  const program = await ripgrepFor(request, context)
  const suspects = program === undefined ? undefined : await notUtf8(program, request, context)
  const found: string[] = []
  let looked = 0
  for await (const { path, relative } of suspects ?? walkedFiles(request, context, [])) {
    if (found.length === most || (suspects && looked++ === MOST_LOOKED_AT)) break
    if (await fileEncoding(path, context) === 'unknown') found.push(relative)
  }
  return found
}

/** Files with a line that ripgrep cannot decode. */
async function notUtf8(
  program: string, request: SearchRequest, context: VerbContext,
): Promise<readonly SearchedFile[] | undefined> {
  const { ripgrepFiles } = await import('./ripgrep-files.js')
  return (await ripgrepFiles(program, 'files', ['--invert-match', '--regexp=^.*$'], request, context))?.files
}

/** A program cannot be given a name that is not UTF-8, and sees the disk of this machine only. */
async function ripgrepFor({ start }: SearchRequest, { dryRun, elsewhere }: VerbContext): Promise<string | undefined> {
  return dryRun || elsewhere || isOddName(start) ? undefined : (await import('./ripgrep.js')).findRipgrep()
}

async function filesByRipgrep(program: string, request: SearchRequest, { counts }: CountPage, context: VerbContext) {
  if (request.multiline) return multilineFiles(program, request, context, counts)
  const { ripgrepFiles } = await import('./ripgrep-files.js')
  const { checkRepeats } = await import('./line-matcher.js')
  if (request.isRegex) await checkRepeats(request.query)
  const matching = ['--crlf', ...(request.isRegex ? [] : ['--fixed-strings']), `--regexp=${request.query}`]
  return ripgrepFiles(program, counts ? 'lines' : 'files', matching, request, context)
}

/**
 * Of matches over several lines ripgrep only says in which files they are.
 *
 * @param counts the matches of all files are wanted: none of them is known then
 */
async function multilineFiles(program: string, request: SearchRequest, context: VerbContext, counts = false) {
  const { sieveExpression } = await import('./multiline-search.js')
  const expression = sieveExpression(request)
  if (expression === undefined) return undefined
  const { ripgrepFiles } = await import('./ripgrep-files.js')
  const { checkRepeats } = await import('./line-matcher.js')
  if (request.isRegex) await checkRepeats(request.query)
  const matching = ['--crlf', '--multiline', `--regexp=${expression}`]
  const found = await ripgrepFiles(program, 'files', matching, request, context)
  if (!found || !counts) return found
  return { ...found, files: found.files.map(({ path, relative }) => ({ path, relative })) }
}

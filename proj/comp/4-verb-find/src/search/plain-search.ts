import { HermesError, isNodeError, type VerbContext } from '../../../0-contracts/src/index.js'
import { walk, wasReplaced } from '../../../2-files/src/index.js'
import { lineExcerpt } from './cut-line.js'
import { compileMatcher } from './line-matcher.js'
import { multilineSearch } from './multiline-search.js'
import type {
  CountOutcome, FileSearch, FoundCount, FoundMatch, MatchInFile, SearchedFile, SearchOutcome, SearchRequest,
} from './search-request.js'
import { isToldIn, textLines } from './lines-at.js'

/**
 * Searches without ripgrep, through the file store: for dry runs, and where ripgrep is missing.
 *
 * @param minBytes smaller files are skipped
 * @throws HermesError `INVALID_PARAMETER` for an invalid regular expression; `CANCELLED`
 */
export async function plainSearch(
  request: SearchRequest, context: VerbContext, minBytes = 0,
): Promise<SearchOutcome> {
  const unreadable: string[] = []
  return searchEach(walkedFiles(request, context, unreadable, minBytes), request, context, unreadable)
}

/** All files to search for a request, as the store lists them. */
export async function* walkedFiles(
  { start, isFile, includes }: SearchRequest, context: VerbContext, unreadable: string[], minBytes = 0,
): AsyncGenerator<SearchedFile> {
  const isLarge = ({ path }: SearchedFile) => minBytes === 0 || (context.files.stat(path)?.size ?? 0) >= minBytes
  if (isFile) {
    const file = { path: start, relative: '' }
    if (isLarge(file)) yield file
    return
  }
  const files = walk(start, context, {
    gitignore: true, order: 'name', odd: true, onUnreadable: (relative) => unreadable.push(relative),
  })
  for await (const entry of files) if (includes(entry.relative) && isLarge(entry)) yield entry
}

/**
 * The first matches in files, in order.
 *
 * @param unreadable receives files that cannot be read
 * @throws as `plainSearch`
 */
export async function searchEach(
  files: AsyncIterable<SearchedFile> | Iterable<SearchedFile>, request: SearchRequest, context: VerbContext,
  unreadable: string[],
): Promise<SearchOutcome> {
  const search = await fileSearch(request, context)
  const matches: FoundMatch[] = []
  for await (const file of files) {
    // One more than wanted shows that there are more.
    const room = request.most + 1 - matches.length
    const lines: MatchInFile[] = []
    const isText = await orUnreadable(file, request, unreadable, () => search(file.path, (match) => (
      lines.push(match) < room
    )))
    if (isText) for (const match of lines) matches.push({ relative: file.relative, ...match })
    if (matches.length > request.most) return { matches: matches.slice(0, -1), truncated: true, unreadable }
  }
  return { matches, truncated: false, unreadable }
}

/** Which of the files with a match to return, and whether to count all their matches. */
export interface CountPage {
  offset: number
  most: number
  counts: boolean
}

/** A file, with its number of matches if known. */
type CountedFile = SearchedFile & { count?: number }

/**
 * The files with a match, in order, with the number of matches in each.
 *
 * @param files for the files returned, the store's content decides, even if a count is known
 * @param unreadable receives files that cannot be read
 * @throws as `plainSearch`
 */
export async function countEach(
  files: AsyncIterable<CountedFile> | Iterable<CountedFile>, request: SearchRequest,
  { offset, most, counts }: CountPage, context: VerbContext, unreadable: string[],
): Promise<CountOutcome> {
  const search = await fileSearch(request, context)
  const page: FoundCount[] = []
  let totalFiles = 0
  let totalMatches = 0
  for await (const file of files) {
    const isAsked = totalFiles >= offset && page.length < most
    let count = isAsked ? 0 : file.count ?? 0
    const isText = count > 0 || await orUnreadable(file, request, unreadable, () => search(file.path, () => {
      count++
      return counts
    }))
    if (!isText || count === 0) continue
    if (isAsked) page.push({ relative: file.relative, count })
    totalFiles++
    totalMatches += count
  }
  return { files: page, totalFiles, totalMatches, unreadable }
}

/** Runs a search; false for a file that cannot be read. */
async function orUnreadable(
  { relative }: SearchedFile, { isFile }: SearchRequest, unreadable: string[], search: () => Promise<boolean>,
): Promise<boolean> {
  try {
    return await search()
  } catch (error) {
    // A file replaced or removed meanwhile has no matches; but the file named in the call must be reported.
    if (!isFile && wasReplaced(error)) return false
    const isTooLarge = error instanceof HermesError && error.code === 'FILE_TOO_LARGE'
    if (!isNodeError(error) && !isTooLarge) throw error
    if (error.code !== 'ENOENT') unreadable.push(relative)
    return false
  }
}

function fileSearch(request: SearchRequest, context: VerbContext): Promise<FileSearch> {
  return request.multiline ? multilineSearch(request, context) : lineByLine(request, context)
}

async function lineByLine(request: SearchRequest, context: VerbContext): Promise<FileSearch> {
  const matcher = await compileMatcher(request)
  return async (file, onMatch) => {
    let line = 0
    let isTold = false
    for await (const batch of textLines(file, context)) {
      if (batch === 'binary') return false
      if (!Array.isArray(batch)) {
        if (batch.from === 0) {
          line++
          isTold = false
        }
        const at = isTold ? -1 : matcher(batch.text)
        if (at === -1 || !isToldIn(batch, at)) continue
        isTold = true
        if (!onMatch({ line, column: batch.from + at + 1, text: lineExcerpt(batch.text, at) })) return true
        continue
      }
      for (const text of batch) {
        line++
        const at = matcher(text)
        if (at !== -1 && !onMatch({ line, column: at + 1, text: lineExcerpt(text, at) })) return true
      }
    }
    return true
  }
}

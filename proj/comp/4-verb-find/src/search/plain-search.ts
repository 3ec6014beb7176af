import { isNodeError } from '../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { walk, wasReplaced } from '../../../2-files/src/index.js'
import { lineExcerpt } from './line-excerpt.js'
import { compileMatcher, type LineMatcher } from './line-matcher.js'
import type { FoundMatch, SearchOutcome, SearchRequest } from './search-request.js'
import { isToldIn, textLines } from './lines-at.js'

/**
 * The search without ripgrep, on whatever the file store holds: for dry runs, and where there is no ripgrep.
 *
 * @param minBytes smaller files are passed over
 * @throws HermesError `INVALID_PARAMETER` for a regular expression that is none; `CANCELLED`
 */
export async function plainSearch(
  request: SearchRequest, context: VerbContext, minBytes = 0,
): Promise<SearchOutcome> {
  const matcher = await compileMatcher(request)
  const matches: FoundMatch[] = []
  const unreadable: string[] = []
  for await (const { path, relative } of filesOf(request, context, unreadable)) {
    if ((context.files.stat(path)?.size ?? 0) < minBytes) continue
    try {
      // One more than wanted tells that there are more.
      const found = await searchFile(path, matcher, request.most + 1 - matches.length, context)
      for (const match of found) matches.push({ relative, ...match })
    } catch (error) {
      // One that was replaced or vanished meanwhile holds nothing; the named file itself is to be told of.
      if (!request.isFile && wasReplaced(error)) continue
      if (!isNodeError(error)) throw error
      if (error.code !== 'ENOENT') unreadable.push(relative)
    }
    if (matches.length > request.most) return { matches: matches.slice(0, -1), truncated: true, unreadable }
  }
  return { matches, truncated: false, unreadable }
}

async function* filesOf(
  { start, isFile, includes }: SearchRequest, context: VerbContext, unreadable: string[],
): AsyncGenerator<{ path: ApprovedPath; relative: string }> {
  if (isFile) {
    yield { path: start, relative: '' }
    return
  }
  const files = walk(start, context, {
    gitignore: true, order: 'name', onUnreadable: (relative) => unreadable.push(relative),
  })
  for await (const entry of files) if (includes(entry.relative)) yield entry
}

async function searchFile(
  file: ApprovedPath, matcher: LineMatcher, most: number, context: VerbContext,
): Promise<Omit<FoundMatch, 'relative'>[]> {
  const found: Omit<FoundMatch, 'relative'>[] = []
  let line = 0
  let isTold = false
  for await (const batch of textLines(file, context)) {
    if (batch === 'binary') return []
    if (!Array.isArray(batch)) {
      if (batch.from === 0) {
        line++
        isTold = false
      }
      const at = isTold ? -1 : matcher(batch.text)
      if (at === -1 || !isToldIn(batch, at)) continue
      isTold = true
      found.push({ line, column: batch.from + at + 1, text: lineExcerpt(batch.text, at) })
      if (found.length === most) return found
      continue
    }
    for (const text of batch) {
      line++
      const at = matcher(text)
      if (at === -1) continue
      found.push({ line, column: at + 1, text: lineExcerpt(text, at) })
      if (found.length === most) return found
    }
  }
  return found
}

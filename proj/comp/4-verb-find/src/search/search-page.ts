import { join } from 'node:path'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { addTo } from '../../../0-text/src/index.js'
import { approveIfAllowed } from '../../../2-files/src/index.js'
import { lineExcerpt } from './cut-line.js'
import { fileEncoding, type FileEncoding } from './file-encodings.js'
import { comparePaths } from './compare-paths.js'
import { linesAt } from './lines-at.js'
import type { FoundMatch, SearchRequest } from './search-request.js'

/** Most files named whose encoding is unknown. */
const MOST_UNDECODED = 50

export interface PageWanted {
  output: 'matches' | 'files' | 'counts'
  offset: number
  most: number
  /** Whether to count all matches of a file, rather than only detect one. */
  counts: boolean
  context_before: number
  context_after: number
}

export type ShownMatch = FoundMatch & { before?: string[]; after?: string[] }

export interface SearchPage {
  matches: ShownMatch[]
  files?: { relative: string; count?: number }[]
  totalFiles?: number
  totalMatches?: number
  truncated: boolean
  encodings: { relative: string; encoding: Exclude<FileEncoding, 'utf-8'> }[]
  unreadable: string[]
}

/** Searches for one page of results, by whichever engine is available. */
export async function searchPage(
  request: SearchRequest, wanted: PageWanted, context: VerbContext,
): Promise<SearchPage> {
  const { countMatches, findMatches, undecodedFiles } = await import('./search-engines.js')
  let page: Page
  if (wanted.output === 'matches') {
    const outcome = await findMatches(request, context)
    const matches = await withContext(outcome.matches.slice(wanted.offset), request, wanted, context)
    page = { ...outcome, matches }
  } else {
    const { files, totalFiles, totalMatches, unreadable } = await countMatches(request, wanted, context)
    page = {
      matches: [],
      files: wanted.counts ? files : files.map(({ relative }) => ({ relative })),
      totalFiles,
      ...(wanted.counts && { totalMatches }),
      truncated: wanted.offset + files.length < totalFiles,
      unreadable,
    }
  }
  const undecoded = isBeyondAscii(request) ? await undecodedFiles(request, MOST_UNDECODED, context) : []
  return { ...page, encodings: await encodingsOf(page, undecoded, request, context) }
}

type Page = Omit<SearchPage, 'encodings'>

async function withContext(
  matches: readonly FoundMatch[], request: SearchRequest, { context_before, context_after }: PageWanted,
  context: VerbContext,
): Promise<ShownMatch[]> {
  if (context_before === 0 && context_after === 0) return [...matches]
  const lines = { before: context_before, after: context_after }
  const files = new Map<string, FoundMatch[]>()
  for (const match of matches) addTo(files, match.relative, match)
  const shown: ShownMatch[] = []
  for (const [relative, ofFile] of files) {
    const path = pathOf(relative, request, context)
    const around = path === undefined ? [] : await linesAround(path, ofFile, lines, context)
    shown.push(...ofFile.map((match, index) => {
      const { before = [], after = [] } = around[index] ?? {}
      return { ...match, ...(context_before > 0 && { before }), ...(context_after > 0 && { after }) }
    }))
  }
  return shown
}

/** Whether the text may have other bytes in other encodings than in UTF-8. */
function isBeyondAscii({ query, isRegex }: SearchRequest): boolean {
  return /[^\0-\x7f]/.test(query) || (isRegex && /\\[xupP]/.test(query))
}

async function encodingsOf(
  { matches, files = [] }: Page, undecoded: readonly string[], request: SearchRequest, context: VerbContext,
): Promise<SearchPage['encodings']> {
  const suspects = new Map<string, boolean>(files.map(({ relative }) => [relative, false]))
  for (const { relative, text, before = [], after = [] } of matches) {
    const isReplaced = [text, ...before, ...after].some((line) => line.includes('\ufffd'))
    suspects.set(relative, isReplaced || suspects.get(relative) === true)
  }
  const encodings = new Map<string, Exclude<FileEncoding, 'utf-8'>>(undecoded.map((relative) => [relative, 'unknown']))
  for (const [relative, isReplaced] of suspects) {
    const path = pathOf(relative, request, context)
    const encoding = path === undefined ? undefined : await fileEncoding(path, context, !isReplaced)
    if (encoding !== undefined && encoding !== 'utf-8') encodings.set(relative, encoding)
  }
  return [...encodings].map(([relative, encoding]) => ({ relative, encoding }))
    .sort((a, b) => comparePaths(a.relative, b.relative))
}

/** The file's path, approved again, since it may have been replaced. */
function pathOf(relative: string, { start, isFile }: SearchRequest, context: VerbContext): ApprovedPath | undefined {
  return isFile ? start : approveIfAllowed(context.gate, join(start, relative), 'read')
}

/**
 * The lines around the matches of one file, each only once: lines between two matches follow the first as far as its
 * context reaches, then precede the second.
 *
 * @param matches in order of their lines
 */
async function linesAround(
  file: ApprovedPath, matches: readonly { line: number; endLine?: number }[],
  { before, after }: { before: number; after: number },
  context: Pick<VerbContext, 'files' | 'signal'>,
): Promise<{ before: string[]; after: string[] }[]> {
  const ranges = matches.map(({ line, endLine = line }, index) => {
    const previous = matches[index - 1]
    const shownTo = previous === undefined ? 0 : (previous.endLine ?? previous.line) + after
    const next = matches[index + 1]?.line ?? Infinity
    return {
      before: numbers(Math.max(1, line - before, shownTo + 1), line - 1),
      after: numbers(endLine + 1, Math.min(endLine + after, next - 1)),
    }
  })
  const wanted = ranges.flatMap((range) => [...range.before, ...range.after])
  const lines = await linesAt(file, new Map(wanted.map((number) => [number, 0])), context)
  const texts = (list: readonly number[]): string[] => list.flatMap((number) => {
    const place = lines.get(number)
    return place ? [lineExcerpt(place.text, 0)] : []
  })
  return ranges.map((range) => ({ before: texts(range.before), after: texts(range.after) }))
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
}

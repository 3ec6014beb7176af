import { sep } from 'node:path'
import type { VerbContext } from '../../../0-contracts/src/index.js'
import { clip } from '../../../0-text/src/index.js'
import { chunksIn, hashOf, type IndexedChunk, linesOf } from '../../../3-code-index/src/index.js'
import { fuseEmbeddings } from './fuse-embeddings.js'
import { type IndexedFile, indexOf, type PassageIndex, saveIndex } from './index-store.js'
import type { Query } from './query.js'
import { rank, type Ranked, type SearchedFile } from './rank.js'
import { type FoundFile, readIfText, refreshFiles } from './refresh.js'
import type { Scope } from './scope-files.js'

export interface SearchRequest {
  /** As asked. */
  text: string
  words: Query
  maxResults: number
}

export interface SearchMatch {
  path: string
  start_line: number
  end_line: number
  symbol?: string
  kind?: string
  score: number
  text: string
}

export interface SearchOutcome {
  results: SearchMatch[]
  indexed_files: number
  truncated?: true
  unknown_words?: string[]
  hint?: string
  embedding_error?: string
}

/** A file with its entry of the index. */
export interface Candidate extends SearchedFile, FoundFile {
  index: IndexedFile
}

const UNKNOWN_HINT = 'No searched file holds any of these words. They are compared as written, not translated: ask in '
  + 'the language of the comments, in words that code has (parse, config, retry), or with a name from the code.'

/** How often a search begins anew since a file changed in a way its times do not show. */
const MOST_ROUNDS = 3

/** Brings the index up to date for the files of the scope, ranks their chunks, and reads the best ones. */
export async function search(request: SearchRequest, scope: Scope, context: VerbContext): Promise<SearchOutcome> {
  const { root } = context.session
  const index = indexOf(context.session)
  let distrusted: ReadonlySet<FoundFile['path']> | undefined
  for (let round = 1; ; round++) {
    const isPruned = prune(index, scope)
    const isRefreshed = await refreshFiles(index, scope.files, context, distrusted)
    if ((isPruned || isRefreshed) && !context.dryRun) saveIndex(root, index)
    const files = candidates(index, scope)
    const { ranked: byWords, unknown } = rank(request.words, files, index.dictionary)
    const { ranked, error } = await fuseEmbeddings(request.text, byWords, files, index, context)
    const { matches, stale } = readMatches(ranked.slice(0, request.maxResults), context)
    if (stale.size > 0 && round < MOST_ROUNDS) {
      distrusted = stale
      continue
    }
    return {
      results: matches,
      indexed_files: files.length,
      ...(scope.isCut && { truncated: true as const }),
      ...(files.length > 0 && unknown.length > 0 && { unknown_words: unknown }),
      ...(files.length > 0 && unknown.length === request.words.words.size && { hint: UNKNOWN_HINT }),
      ...(error !== undefined && { embedding_error: error }),
    }
  }
}

/** Takes out of the index what is not there any more, or may not be read any more. */
function prune({ files: known }: PassageIndex, { directory, files, isCut }: Scope): boolean {
  if (directory === undefined || isCut) return false
  const found = new Set<string>(files.map(({ path }) => path))
  const gone = [...known.keys()].filter((path) => path.startsWith(directory + sep) && !found.has(path))
  for (const path of gone) known.delete(path)
  return gone.length > 0
}

function candidates(index: PassageIndex, { files }: Scope): Candidate[] {
  return files.flatMap((file) => {
    const entry = index.files.get(file.path)
    return entry === undefined ? [] : { ...file, index: entry }
  })
}

const MOST_LINES = 20
const MOST_LINE_CHARS = 300

/** The texts come from the files themselves; `stale` are those that are not as indexed. */
function readMatches(
  ranked: readonly Ranked<Candidate>[], context: VerbContext,
): { matches: SearchMatch[]; stale: Set<FoundFile['path']> } {
  const texts = new Map<string, string[] | undefined>()
  const stale = new Set<FoundFile['path']>()
  const chunks = new Map<Candidate, IndexedChunk[]>()
  const matches = ranked.flatMap(({ file, chunk: number, score }) => {
    if (!texts.has(file.path)) {
      const text = readIfText(file.path, file.shown, context)
      if (text === undefined || hashOf(text) !== file.index.hash) stale.add(file.path)
      texts.set(file.path, text === undefined ? undefined : linesOf(text))
    }
    const lines = texts.get(file.path)
    if (!chunks.has(file)) chunks.set(file, chunksIn(file.index))
    const chunk = chunks.get(file)![number]
    if (lines === undefined || chunk === undefined) return []
    const shown = lines.slice(chunk.startLine - 1, Math.min(chunk.endLine, chunk.startLine - 1 + MOST_LINES))
    return {
      path: file.shown,
      start_line: chunk.startLine,
      end_line: chunk.endLine,
      ...(chunk.symbol !== undefined && { symbol: chunk.symbol }),
      ...(chunk.kind !== undefined && { kind: chunk.kind }),
      score: Number(score.toFixed(4)),
      text: shown.map((line) => clip(line, MOST_LINE_CHARS)).join('\n'),
    }
  })
  return { matches, stale }
}

import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { clip, listed, valueAt } from '../../../0-text/src/index.js'
import {
  chunksIn, hashOfText, type IndexedChunk, indexOf, type IndexScope, linesOf, type PassageFile,
} from '../../../3-code-index/src/index.js'
import { fuseEmbeddings } from './fuse-embeddings.js'
import type { Query } from './query.js'
import { rank, type Ranked } from './rank.js'
import { readIfText } from './read-if-text.js'

export interface SearchRequest {
  /** As given in the call. */
  text: string
  words: Query
  maxResults: number
}

const UNKNOWN_HINT = 'No searched file holds any of these words. They are compared as written, not translated: ask in '
  + 'the language of the comments, in words that code has (parse, config, retry), or with a name from the code.'

/** Most times that a search starts over because a file changed without its times showing it. */
const MOST_ROUNDS = 3

/** Updates the index for the files in scope, ranks their chunks, and reads the best ones. */
export async function search(request: SearchRequest, scope: IndexScope, context: VerbContext) {
  let distrusted: ReadonlySet<ApprovedPath> | undefined
  for (let round = 1; ; round++) {
    const { files, isCut, odd, index } = await indexOf(context).refreshPassages(scope, context, distrusted)
    const { ranked: byWords, unknown } = rank(request.words, files, index.dictionary)
    const { ranked, error } = await fuseEmbeddings(request.text, byWords, files, index, context)
    const { matches, stale } = readMatches(ranked.slice(0, request.maxResults), context)
    if (stale.size > 0 && round < MOST_ROUNDS) {
      distrusted = stale
      continue
    }
    if (odd.length > 0) {
      context.advise?.(`Not searched, since the name is not UTF-8: ${listed(odd)}. search_files does.`)
    }
    return {
      results: matches,
      indexed_files: files.length,
      ...(isCut && { truncated: true as const }),
      ...(files.length > 0 && unknown.length > 0 && { unknown_words: unknown }),
      ...(files.length > 0 && unknown.length === request.words.words.size && { hint: UNKNOWN_HINT }),
      ...(error !== undefined && { embedding_error: error }),
    }
  }
}

const MOST_LINES = 20
const MOST_LINE_CHARS = 300

/** Reads the matches' texts from the files themselves; `stale` are those that differ from the index. */
function readMatches(ranked: readonly Ranked<PassageFile>[], context: VerbContext) {
  const texts = new Map<string, string[] | undefined>()
  const stale = new Set<ApprovedPath>()
  const chunks = new Map<PassageFile, IndexedChunk[]>()
  const matches = ranked.flatMap(({ file, chunk: number, score }) => {
    const lines = valueAt(texts, file.path, () => {
      const text = readIfText(file.path, file.shown, context)
      if (text === undefined || Buffer.compare(hashOfText(text), file.index.hash) !== 0) stale.add(file.path)
      return text === undefined ? undefined : linesOf(text)
    })
    const chunk = valueAt(chunks, file, () => chunksIn(file.index))[number]
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

import * as v from 'valibot'
import {
  boundedText, defineVerb, described, HermesError, integer, integerBetween, text, titled, toolPath, type ApprovedPath,
  type VerbContext,
} from '../../../0-contracts/src/index.js'
import { clip, listed, valueAt } from '../../../0-text/src/index.js'
import { approvePath, missingPath, pathError, readText } from '../../../2-files/src/index.js'
import {
  chunksIn, hashOfText, indexOf, linesOf, type IndexedChunk, type IndexScope, type PassageFile,
} from '../../../3-code-index/src/index.js'
import { CODE_ANALYSIS } from '../analysis-verb.js'
import { fuseEmbeddings } from './fuse-embeddings.js'
import { readQuery } from './query.js'
import { rank, type Ranked } from './rank.js'
import { readIfText } from './read-if-text.js'

const UNKNOWN_HINT = 'No searched file holds any of these words. They are compared as written, not translated: ask in '
  + 'the language of the comments, in words that code has (parse, config, retry), or with a name from the code.'

/** Most times that a search starts over because a file changed without its times showing it. */
const MOST_ROUNDS = 3

const MOST_LINES = 20
const MOST_LINE_CHARS = 300

const VERB = 'semantic_search'

const schema = titled('SemanticMatch', {
  path: text('The file, in the form the call was written.'),
  start_line: integer('First line of the passage, from 1.', 1),
  end_line: integer('Last line of the passage.', 1),
  symbol: v.optional(text('Definition the passage is or is a part of, with its container: Gate.approve.')),
  kind: v.optional(text('Kind of that definition, such as function or class.')),
  score: described(v.number(), 'Higher is better; comparable within one result only.'),
  text: text('The first lines of the passage, at most 20.'),
})

/** Core tool: ranks passages of files by their meaning. */
export const semanticSearch = defineVerb({
  ...CODE_ANALYSIS,
  name: VERB,
  version: '1.1.0',
  description: 'Find code by words: a question ("where is the config parsed") or names. Returns passages, best first. '
    + 'Compares stems, beginnings and parts of identifiers in names, paths, comments and code; meanings only where the '
    + 'user set an embedding endpoint. For an exact text use search_files, for a known symbol find_symbol.',
  constraints: [
    'The scopes directory and file need a path; with workspace it narrows the search.',
    'Hidden, ignored and generated files, dependencies and files over 512 KB are left out.',
  ],
  primary: 'query',
  args: v.strictObject({
    query: boundedText('What to look for: a question, some words, or identifiers.', { min: 3, max: 1000 }),
    scope: v.optional(
      described(v.picklist(['workspace', 'directory', 'file']), 'Where to search. Default: workspace.'),
      'workspace',
    ),
    path: v.optional(toolPath('The directory or file to search, for the scopes of these names.')),
    max_results: v.optional(integerBetween('How many passages to return. Default: 20.', 1, 100), 20),
  }),
  check({ query, scope, path }) {
    if (readQuery(query).terms.length === 0) {
      throw new HermesError('INVALID_PARAMETER', `${VERB}: query must hold a word`, {
        hint: 'Write what to look for in words, or an identifier.',
      })
    }
    if (path === undefined && scope !== 'workspace') {
      throw new HermesError('MISSING_PARAMETER', 'Missing required parameter: path', {
        hint: `Write the ${scope} to search as path, or leave out scope to search everything.`,
      })
    }
  },
  result: v.strictObject({
    results: described(v.array(schema), 'The passages, best first.'),
    indexed_files: integer('Files that were searched.', 0),
    truncated: v.optional(described(v.literal(true), 'There are more files than are searched at once. A directory as '
      + 'path reaches others.')),
    unknown_words: v.optional(described(v.array(text('A word as it was written.')), 'Words of the query that no '
      + 'searched file holds, nor another form of them.')),
    hint: v.optional(text('How to ask instead, where none of the words is known.')),
    embedding_error: v.optional(text(
      'Why the configured embedding endpoint had no part in the ranking, or a smaller one.',
    )),
  }),
  examples: [
    { query: 'where is the configuration file parsed' },
    { query: 'retry with backoff', scope: 'directory', path: 'src', max_results: 5 },
  ],
  async handler({ query, scope, path, max_results }, context) {
    const words = readQuery(query)
    const searched = searchScope(scope, path, context)
    let distrusted: ReadonlySet<ApprovedPath> | undefined
    for (let round = 1; ; round++) {
      const { files, isCut, odd, index } = await indexOf(context).refreshPassages(searched, context, distrusted)
      const { ranked: byWords, unknown } = rank(words, files, index.dictionary)
      const { ranked, error } = await fuseEmbeddings(query, byWords, files, index, context)
      const { matches, stale } = readMatches(ranked.slice(0, max_results), context)
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
        ...(files.length > 0 && unknown.length === words.words.size && { hint: UNKNOWN_HINT }),
        ...(error !== undefined && { embedding_error: error }),
      }
    }
  },
})

/**
 * What a call is about: a directory, or a file that can be searched.
 *
 * @throws HermesError `ENOENT`, `ENOTDIR`, `EISDIR`, for a file also `FILE_TOO_LARGE`, `NOT_TEXT`
 */
function searchScope(
  scope: 'workspace' | 'directory' | 'file', path: string | undefined, context: VerbContext,
): IndexScope {
  const start = approvePath(context.gate, VERB, path ?? '.', 'read')
  const stat = context.files.stat(start)
  if (stat === undefined) throw missingPath(VERB, path ?? '.', start, context)
  if (stat.kind === 'directory') {
    if (scope === 'file') throw pathError('EISDIR', VERB, path ?? '.', 'Write scope: directory to search it.')
    return { start, kind: 'directory', shown: path ?? '', verb: VERB }
  }
  if (scope === 'directory') throw pathError('ENOTDIR', VERB, path ?? '.', 'Write scope: file to search a file.')
  if (readText(context.files, start, context.limits.maxFileBytes, path ?? '.').includes('\0')) {
    throw new HermesError('NOT_TEXT', `File is not UTF-8 text: ${path ?? '.'}`, {
      hint: 'It looks like a binary file. Use a command that knows its format.',
    })
  }
  return { start, kind: 'file', shown: path ?? '.', verb: VERB }
}

/** Reads the matches' texts from the files themselves; `stale` are those that differ from the index. */
function readMatches(ranked: readonly Ranked<PassageFile>[], context: VerbContext) {
  const texts = new Map<string, string[] | undefined>()
  const stale = new Set<ApprovedPath>()
  const chunks = new Map<PassageFile, IndexedChunk[]>()
  const matches = ranked.flatMap(({ file, chunk: number, score }) => {
    const lines = valueAt(texts, file.path, () => {
      const source = readIfText(file.path, file.shown, context)
      if (source === undefined || Buffer.compare(hashOfText(source), file.index.hash) !== 0) stale.add(file.path)
      return source === undefined ? undefined : linesOf(source)
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

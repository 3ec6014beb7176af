import * as v from 'valibot'
import {
  boundedText, defineVerb, described, HermesError, integer, integerBetween, text, toolPath,
} from '../../../0-contracts/src/index.js'
import { readQuery } from './query.js'
import { search } from './search.js'
import { searchScope } from './search-scope.js'

const schema = v.pipe(
  v.strictObject({
    path: text('The file, in the form the call was written.'),
    start_line: integer('First line of the passage, from 1.', 1),
    end_line: integer('Last line of the passage.', 1),
    symbol: v.optional(text('Definition the passage is or is a part of, with its container: Gate.approve.')),
    kind: v.optional(text('Kind of that definition, such as function or class.')),
    score: described(v.number(), 'Higher is better; comparable within one result only.'),
    text: text('The first lines of the passage, at most 20.'),
  }),
  v.title('SemanticMatch'),
)

/** Core tool: ranks passages of files by their meaning. */
export const semanticSearch = defineVerb({
  name: 'semantic_search',
  vocabulary: 'core',
  version: '1.1.0',
  description: 'Find code by words: a question ("where is the config parsed") or names. Returns passages, best first. '
    + 'Compares stems, beginnings and parts of identifiers in names, paths, comments and code; meanings only where the '
    + 'user set an embedding endpoint. For an exact text use search_files, for a known symbol find_symbol.',
  category: 'code_analysis',
  type: 'read',
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
      throw new HermesError('INVALID_PARAMETER', 'semantic_search: query must hold a word', {
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
    return search({ text: query, words, maxResults: max_results }, searchScope(scope, path, context), context)
  },
})

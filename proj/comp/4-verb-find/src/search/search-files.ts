import { basename, join } from 'node:path'
import * as v from 'valibot'
import {
  boundedText, defineVerb, described, flag, HermesError, integer, integerBetween, MOST_OFFSETS, text, texts, titled,
  toolPath,
} from '../../../0-contracts/src/index.js'
import { pathShower } from '../../../2-files/src/index.js'
import { calledPath, pathFilter } from '../called-path.js'
import { typeMatcher } from './file-types.js'
import { searchPage } from './search-page.js'
import type { SearchRequest } from './search-request.js'

const MOST_RESULTS = 10_000
/** Largest offset: matches before it are found first, and kept meanwhile. */
const MOST_OFFSET = MOST_OFFSETS.search_files
const MOST_CONTEXT = 50

const parameters = v.strictObject({
  query: boundedText('Text or regular expression to find.', {
    min: 1, max: 1000,
  }),
  path: v.optional(toolPath('File or directory to search. Default: the root.'), '.'),
  pattern: v.optional(text('Glob pattern of the names of files (*.ts), or with a / of their paths below the '
    + 'directory (src/**/*.ts).')),
  case_sensitive: flag('Whether upper and lower case differ. Default: no.', false),
  regex: flag('Whether query is a regular expression. Default: no, it is found as it is.', false),
  max_results: v.optional(
    integerBetween('Most lines or files to return. Default: 100. The user may have set fewer.', 1, MOST_RESULTS), 100,
  ),
  output: v.optional(described(v.picklist(['matches', 'files', 'counts']), 'Lines, only their files, or how many lines '
    + 'match in each file. Default: matches.'), 'matches'),
  context_before: v.optional(integerBetween('Lines to show before each. Default: 0.', 0, MOST_CONTEXT), 0),
  context_after: v.optional(integerBetween('Lines to show after each. Default: 0.', 0, MOST_CONTEXT), 0),
  type: v.optional(text('Type of files as ripgrep names it: py, ts, rust. Default: all.')),
  multiline: flag('Whether a match may span lines. Default: no.', false),
  offset: v.optional(
    integerBetween(
      'Results to leave out first: next_offset of the last call. Default: 0.', 0, MOST_OFFSET,
    ), 0,
  ),
})

/** Core tool: searches text in files. */
export const searchFiles = defineVerb({
  name: 'search_files',
  vocabulary: 'core',
  description: 'Search for text in files: in one file, or in all below a directory but those that .gitignore excludes. '
    + 'Returns matching lines in order of path, or files, or counts. Hidden files are searched, binary ones are not.',
  category: 'file_operations',
  version: '1.1.0',
  type: 'read',
  constraints: [
    '.ignore and .git/info/exclude count too.',
    'Links, .git, .hermes and what the policy denies are passed over.',
    'Regular expressions have no look-around and no backreferences.',
  ],
  primary: 'query',
  seldom: [
    'case_sensitive', 'max_results', 'output', 'context_before', 'context_after', 'type', 'multiline', 'offset',
  ],
  args: parameters,
  check({ query, regex, pattern, type, multiline }) {
    checkQuery(query, regex, multiline)
    pathFilter('search_files', 'pattern', pattern)
    if (type !== undefined) typeMatcher(type)
  },
  result: v.strictObject({
    matches: described(v.array(titled('SearchMatch', {
      path: text('File of the line, written as the path searched.'),
      line: integer('Number of the line, from 1.', 1),
      column: integer('Where in the line the first match begins, in UTF-16 units from 1.', 1),
      text: text('The line without its ending, or all lines of the match; … stands for what is left out.'),
      end_line: v.optional(integer('Last line of a match over several lines.', 1)),
      before: v.optional(texts('The lines before it, with context_before; none that are shown already.')),
      after: v.optional(texts('The lines after it, with context_after, up to the next match.')),
    })), 'The matching lines by path (name by name) and number; none with output files or counts.'),
    files: v.optional(described(v.array(titled('SearchedFile', {
      path: text('The file, written as the path searched.'),
      count: v.optional(integer('How many of its lines match, with output counts.', 1)),
    })), 'The files with a match by path, with output files or counts.')),
    total_files: v.optional(integer('How many files have a match, with output files or counts.', 0)),
    total_matches: v.optional(integer('How many lines match in all files, with output counts.', 0)),
    truncated: described(v.boolean(), 'Whether there are more results than are returned.'),
    next_offset: v.optional(integer('The offset to go on with, where there are more.', 1)),
    encodings: v.optional(described(v.array(titled('FileEncoding', {
      path: text('The file, written as the path searched.'),
      encoding: described(v.picklist(['utf-16le', 'utf-16be', 'unknown']), 'unknown: some bytes are not UTF-8. '
        + 'They are shown as U+FFFD, and text beyond ASCII is not found there.'),
    })), 'Files that are not UTF-8: those of the results, and those in which query cannot be found for it.')),
    unreadable: v.optional(texts('Files and directories that could not be read, where there are any.')),
  }),
  examples: [
    { query: 'TODO' },
    { query: 'function\\s+\\w+\\(', regex: true, path: 'src', pattern: '*.{js,ts}', max_results: 20 },
    { query: 'run', type: 'ts', output: 'counts' },
  ],
  async handler(args, context) {
    const { path, pattern, type, offset, output } = args
    const fits = pathFilter('search_files', 'pattern', pattern)
    const isOfType = type === undefined ? () => true : typeMatcher(type)
    const { start, kind } = calledPath('search_files', path, context)
    const most = Math.min(args.max_results, context.limits.maxMatches)
    const request: SearchRequest = {
      start, isFile: kind === 'file', query: args.query, isRegex: args.regex,
      caseSensitive: args.case_sensitive, multiline: args.multiline,
      // Matches before the offset must be found as well.
      most: offset + most,
      includes: (relative) => fits(relative) && isOfType(basename(relative)), nameGlob: nameSieve(pattern), type,
    }
    const inForm = pathShower(context)
    const shown = (relative: string): string => (relative === '' ? path : inForm(join(path, relative)))
    if (request.isFile && !request.includes(basename(request.start))) return nothingIn(output)
    const page = await searchPage(request, { ...args, most, offset, counts: output === 'counts' }, context)
    const next = offset + most
    if (page.truncated) {
      context.advise?.(next <= MOST_OFFSET
        ? `There are more results; go on with offset: ${next}.`
        : 'There are more results; write a narrower path, pattern or query for them.')
    }
    return {
      matches: page.matches.map(({ relative, endLine, ...match }) => ({
        path: shown(relative), ...match, ...(endLine !== undefined && { end_line: endLine }),
      })),
      ...(page.files && { files: page.files.map(({ relative, ...file }) => ({ path: shown(relative), ...file })) }),
      ...(page.totalFiles !== undefined && { total_files: page.totalFiles }),
      ...(page.totalMatches !== undefined && { total_matches: page.totalMatches }),
      truncated: page.truncated,
      ...(page.truncated && next <= MOST_OFFSET && { next_offset: next }),
      ...(page.encodings.length > 0 && {
        encodings: page.encodings.map(({ relative, encoding }) => ({ path: shown(relative), encoding })),
      }),
      ...(page.unreadable.length > 0 && { unreadable: page.unreadable.map(shown) }),
    }
  },
})

function nothingIn(output: 'matches' | 'files' | 'counts') {
  return {
    matches: [], truncated: false, ...(output !== 'matches' && { files: [], total_files: 0 }),
    ...(output === 'counts' && { total_matches: 0 }),
  }
}

/** A class `[^…]`, not escaped. */
const EXCLUDING_CLASS = /(?<!\\)\[\^\]?(?:\\.|[^\\\]])*\]/g

function checkQuery(query: string, regex: boolean, multiline: boolean): void {
  // In a regular expression also the escapes \n and \r, except within negated classes.
  const meant = regex ? query.replace(EXCLUDING_CLASS, '') : query
  if (!multiline && (/[\r\n]/.test(query) || (regex && /(?<!\\)(?:\\\\)*\\[nr]/.test(meant)))) {
    throw new HermesError('INVALID_PARAMETER', 'search_files: query must be within one line', {
      hint: 'Search for one of its lines, or set multiline to true.',
    })
  }
  if (query.includes('\0')) {
    throw new HermesError('INVALID_PARAMETER', 'search_files: query must not contain NUL characters', {
      hint: 'Only text files are searched; write the text around it.',
    })
  }
}

/** A glob that the names of all included files match, if it means the same to ripgrep. */
function nameSieve(pattern = ''): string | undefined {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1)
  const plain = /^(?:[\w.?-]|\*(?!\*))*(?:\{[\w.-]+(?:,[\w.-]+)+\})?[\w.?-]*$/
  return name !== '' && plain.test(name) ? name : undefined
}

import { basename, join } from 'node:path'
import * as v from 'valibot'
import {
  boundedText, defineVerb, flag, HermesError, integer, integerBetween, text, texts, toolPath,
} from '../../../0-contracts/src/index.js'
import type { ApprovedPath, VerbContext } from '../../../0-contracts/src/index.js'
import { approvePath, missingPath, pathError, compilePattern } from '../../../2-files/src/index.js'
import type { SearchOutcome, SearchRequest } from './search-request.js'

const MOST_RESULTS = 10_000

/** Seed 004 `search_files` (FR-022 to FR-028). */
export const searchFiles = defineVerb({
  name: 'search_files',
  vocabulary: 'core',
  description: 'Search for text in files, line by line: in one file, or in all files below a directory but those that '
    + '.gitignore excludes. Returns the first matching lines in the order of their paths. Hidden files are searched '
    + 'too; binary files are not.',
  category: 'file_operations',
  type: 'read',
  constraints: [
    '.ignore and .git/info/exclude count too; a path that is given itself is searched all the same.',
    'Links, .git, .hermes and what the policy denies are passed over.',
    'Regular expressions have no look-around and no backreferences.',
  ],
  primary: 'query',
  args: v.strictObject({
    query: boundedText('Text or regular expression to find, within one line.', { min: 1, max: 1000 }),
    path: v.optional(toolPath('File or directory to search. Default: the root.'), '.'),
    pattern: v.optional(text('Glob pattern of the names of files (*.ts), or with a / of their paths below the '
      + 'directory (src/**/*.ts).')),
    case_sensitive: flag('Whether upper and lower case differ. Default: no.', false),
    regex: flag('Whether query is a regular expression. Default: no, it is found as it is.', false),
    max_results: v.optional(
      integerBetween('Most lines to return. Default: 100. The user may have set a lower limit.', 1, MOST_RESULTS), 100,
    ),
  }),
  check({ query, regex, pattern }) {
    checkQuery(query, regex)
    if (pattern !== undefined) compileInclude(pattern)
  },
  result: v.strictObject({
    matches: v.pipe(
      v.array(v.pipe(
        v.strictObject({
          path: text('File of the line, written as the path searched.'),
          line: integer('Number of the line, from 1.', 1),
          column: integer('Where in the line the first match begins, in UTF-16 units from 1.', 1),
          text: text('The line without its ending; … stands for what is left out of a long one.'),
        }),
        v.title('SearchMatch'),
      )),
      v.description('The matching lines by path (name by name) and number.'),
    ),
    truncated: v.pipe(v.boolean(), v.description('Whether there are more matching lines than are returned.')),
    unreadable: v.optional(texts('Files and directories that could not be read, where there are any.')),
  }),
  examples: [
    { query: 'TODO' },
    { query: 'function\\s+\\w+\\(', regex: true, path: 'src', pattern: '*.{js,ts}', max_results: 20 },
  ],
  async handler({ query, path, pattern, case_sensitive, regex, max_results }, context) {
    const includes = pattern === undefined ? () => true : compileInclude(pattern)
    const start = approvePath(context.gate, 'search_files', path, 'read')
    const isFile = kindAt(start, path, context) === 'file'
    const most = Math.min(max_results, context.limits.maxMatches)
    if (isFile && !includes(basename(start))) return { matches: [], truncated: false }
    const { matches, truncated, unreadable } = await search({
      start, isFile, query, isRegex: regex, caseSensitive: case_sensitive, most, includes, nameGlob: nameSieve(pattern),
    }, context)
    const shown = (relative: string): string => (relative === '' ? path : join(path, relative))
    return {
      matches: matches.map(({ relative, ...match }) => ({ path: shown(relative), ...match })),
      truncated,
      ...(unreadable.length > 0 && { unreadable: unreadable.map(shown) }),
    }
  },
})

/** Ripgrep sees the disk only, not what a dry run would have written. */
async function search(request: SearchRequest, context: VerbContext): Promise<SearchOutcome> {
  if (!context.dryRun) {
    const { findRipgrep, ripgrepSearch } = await import('./ripgrep.js')
    const program = findRipgrep()
    const outcome = program === undefined ? undefined : await ripgrepSearch(program, request, context)
    if (outcome !== undefined) return outcome
  }
  const { plainSearch } = await import('./plain-search.js')
  return plainSearch(request, context)
}

function checkQuery(query: string, regex: boolean): void {
  // In a regular expression the escapes \n and \r are meant too.
  if (/[\r\n]/.test(query) || (regex && /(?<!\\)(?:\\\\)*\\[nr]/.test(query))) {
    throw new HermesError('INVALID_PARAMETER', 'search_files: query must be within one line', {
      hint: 'Search for one of its lines.',
    })
  }
  if (query.includes('\0')) {
    throw new HermesError('INVALID_PARAMETER', 'search_files: query must not contain NUL characters', {
      hint: 'Only text files are searched; write the text around it.',
    })
  }
}

function compileInclude(pattern: string): (relative: string) => boolean {
  const { matches } = compilePattern('search_files', 'pattern', pattern, { dot: true })
  return pattern.includes('/') ? matches : (relative) => matches(basename(relative))
}

/** What the names of all included files match, where that is a pattern that means the same to ripgrep. */
function nameSieve(pattern = ''): string | undefined {
  const name = pattern.slice(pattern.lastIndexOf('/') + 1)
  const plain = /^(?:[\w.?-]|\*(?!\*))*(?:\{[\w.-]+(?:,[\w.-]+)+\})?[\w.?-]*$/
  return name !== '' && plain.test(name) ? name : undefined
}

function kindAt(start: ApprovedPath, path: string, context: VerbContext): 'file' | 'directory' {
  const found = context.files.stat(start)
  if (found === undefined) throw missingPath('search_files', path, start, context)
  if (found.kind === 'file' || found.kind === 'directory') return found.kind
  throw pathError('EACCES', 'search_files', path, 'It is neither a file nor a directory.')
}

import { join } from 'node:path'
import * as v from 'valibot'
import { skippedFile } from '../symbols/or-skip.js'
import {
  type ApprovedPath, defineVerb, described, integer, integerBetween, text, titled, toolPath, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { isMarkdown } from '../../../0-text/src/index.js'
import { readText } from '../../../2-files/src/index.js'
import { LANGUAGE_NAMES, languageOf, LANGUAGES_IN_SHORT, parseSignatures } from '../../../2-syntax/src/index.js'
import { CODE_ANALYSIS } from '../analysis-verb.js'
import { calledPath, noLanguage, pathFilter } from '../called-path.js'
import { outlineDirectory } from './outline-directory.js'
import { outlineFile } from './outline-file.js'
import type { MoreCalls } from './left-out.js'
import { outlinedDocument } from './outlined-document.js'
import { outlinedFile } from './outlined-file.js'

const VERB = 'symbol_outline'
const LEAST_TOKENS = 100
const MOST_TOKENS = 50_000
const DEFAULT_TOKENS = 2000
const MOST_DEPTH = 100

const unparsed = titled('UnparsedLanguage', {
  language: text('E.g. "Haskell".'), files: integer('How many files are in it.', 1),
})

/** Outlines a file or a source tree within a number of tokens: a repository map like aider's. */
export const symbolOutline = defineVerb({
  ...CODE_ANALYSIS,
  name: VERB,
  description: 'Outline source code: what a file defines, with lines and signatures. Of a directory it is a map: what '
    + 'its files use most of one another, within max_tokens. Of a Markdown file: its sections. For one name, call '
    + 'find_symbol.',
  constraints: [
    `Languages: ${LANGUAGES_IN_SHORT}.`,
    'Locals, parameters and imports are not shown.',
    'Ignored files, links and dependencies are passed over.',
  ],
  primary: 'path',
  args: v.strictObject({
    path: v.optional(toolPath('File or directory to outline. Default: the root.'), '.'),
    pattern: v.optional(text('Glob pattern of the names of files (*.ts), or with a / of their paths below the '
      + 'directory (src/**/*.ts).')),
    depth: v.optional(integerBetween('Levels of nesting to show: 1 for what is at the top of files, 2 with the members '
      + 'of that, and so on. Default: all.', 1, MOST_DEPTH)),
    max_tokens: v.optional(integerBetween('Most tokens that the outline may have, counted generously. Default: 2000.',
      LEAST_TOKENS, MOST_TOKENS), DEFAULT_TOKENS),
  }),
  check({ pattern }) {
    pathFilter(VERB, 'pattern', pattern)
  },
  result: v.strictObject({
    text: text('The outline: a line with the path of each file, and below it a line for each definition: its line, or '
      + 'first and last line, and its declaration up to the body. Last, what was left out, and how to see it.'),
    symbol_count: integer('Definitions in it.', 0),
    total_symbols: integer('Definitions there are.', 0),
    file_count: v.optional(integer('Of a directory: files in it.', 0)),
    total_files: v.optional(integer('Of a directory: files that define something.', 0)),
    unparsed: v.optional(described(v.array(unparsed), 'Of a directory: languages that are there and cannot be '
      + 'parsed.')),
    skipped: v.optional(described(v.array(skippedFile), 'What could not be parsed, if anything; at most 50.')),
  }),
  examples: [{ path: 'src/main.ts' }, { path: 'src', depth: 1, max_tokens: 1000 }],
  async handler({ path, pattern, depth = MOST_DEPTH, max_tokens: tokens }, context) {
    const includes = pathFilter(VERB, 'pattern', pattern)
    const { start, kind } = calledPath(VERB, path, context)
    const args = { path, pattern, depth: depth === MOST_DEPTH ? undefined : depth }
    const more: MoreCalls = { verb: VERB, args, tokens, most: MOST_TOKENS }
    if (kind === 'directory') return outlineDirectory({ start, includes, depth, tokens, more }, context)
    return outlineFile(await fileAt(start, path, depth, context), tokens, more)
  },
})

async function fileAt(start: ApprovedPath, path: string, depth: number, { files, limits }: VerbContext) {
  if (isMarkdown(start)) return outlinedDocument(join(path), readText(files, start, limits.maxFileBytes, path), depth)
  const language = languageOf(start)
  if (language === undefined) {
    const hint = `It parses ${LANGUAGE_NAMES}, and finds the sections of Markdown. search_files finds text in any file.`
    throw noLanguage(VERB, path, hint)
  }
  const source = readText(files, start, limits.maxFileBytes, path)
  return outlinedFile(join(path), await parseSignatures(language, source), depth)
}

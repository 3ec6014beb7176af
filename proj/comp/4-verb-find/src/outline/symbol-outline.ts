import { join } from 'node:path'
import * as v from 'valibot'
import { linesOf } from '../../../3-code-index/src/index.js'
import { skippedFile } from '../symbols/or-skip.js'
import {
  defineVerb, described, integer, integerBetween, text, titled, toolPath, type ApprovedPath, type VerbContext,
} from '../../../0-contracts/src/index.js'
import { clip, isMarkdown, sectionsOf } from '../../../0-text/src/index.js'
import { readText } from '../../../2-files/src/index.js'
import {
  LANGUAGE_NAMES, languageOf, LANGUAGES_IN_SHORT, parseSignatures, type SignedDefinition, type VisibleDefinition,
} from '../../../2-syntax/src/index.js'
import { CODE_ANALYSIS } from '../analysis-verb.js'
import { calledPath, noLanguage, pathFilter } from '../called-path.js'
import { countDefinitions, OutlineFit } from './fit-outline.js'
import { outlineDirectory } from './outline-directory.js'
import { leftOutLine, reserveOf, type MoreCalls } from './left-out.js'
import { levelOf, type OutlineNode } from './outline-node.js'
import { outlinedFile, type OutlinedFile } from './outlined-file.js'
import { weightOf } from './rank-definitions.js'

/** Longest heading, in characters, as of a signature. */
const MOST_CHARS = 160

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

/** The sections of a Markdown text, each in that of the heading above it. */
function outlinedDocument(shown: string, source: string, depth: number): OutlinedFile {
  const lines = linesOf(source)
  if (lines.at(-1) === '') lines.pop()
  const open: { level: number; definition: VisibleDefinition }[] = []
  const definitions = sectionsOf(lines).map(({ heading, level, firstLine, lastLine }): SignedDefinition => {
    while (open.length > 0 && open.at(-1)!.level >= level) open.pop()
    const within = open.at(-1)?.definition
    const definition: VisibleDefinition = {
      // It holds others and can be named from elsewhere, as classes do.
      name: heading, kind: 'class', shared: true, parameter: false,
      startLine: firstLine, startColumn: 1, endLine: lastLine, endColumn: (lines[lastLine - 1] ?? '').length + 1,
      nameLine: firstLine, nameColumn: 1, depth: open.length, ...(within && { within }),
    }
    open.push({ level, definition })
    return { definition, signature: clip(`${'#'.repeat(level)} ${heading}`.trimEnd(), MOST_CHARS) }
  })
  return outlinedFile(shown, { definitions }, depth)
}

/** All definitions of a file where they fit, else those that are most telling by themselves. */
function outlineFile(file: OutlinedFile, tokens: number, more: MoreCalls) {
  const total = countDefinitions(file.nodes)
  const all = fit(file, file.nodes, tokens)
  if (all.countIn(file) === total) return resultOf(all.lines([file]), total, total)
  const some = fit(file, [...file.nodes].sort((a, b) => weigh(b) - weigh(a)), tokens - reserveOf(more))
  const shown = some.countIn(file)
  const left = leftOutLine({ symbols: total - shown, ofSymbols: total }, more)
  return resultOf([...some.lines([file]), left], shown, total)
}

function fit(file: OutlinedFile, nodes: readonly OutlineNode[], tokens: number): OutlineFit {
  const outline = new OutlineFit(tokens)
  for (const node of nodes) {
    if (outline.isFull) break
    outline.add(file, node)
  }
  return outline
}

function weigh({ definitions: [definition] }: OutlineNode): number {
  return definition ? weightOf({ name: definition.name, kind: definition.kind, level: levelOf(definition) }) : 0
}

function resultOf(lines: readonly string[], shown: number, total: number) {
  return { text: lines.join('\n'), symbol_count: shown, total_symbols: total }
}

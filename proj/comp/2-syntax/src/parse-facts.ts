import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import type { Occurrence, VisibleDefinition } from './definition.js'
import type { Grammar } from './load-grammar.js'
import type { LanguageId } from './language-id.js'
import { nameIn } from './node-name.js'
import { moveToFile, type Notebook } from './notebook.js'
import type { ParseClock, ParseTime } from './parse-time.js'
import { definitionsByPattern, occurrencesByPattern } from './patterns/by-pattern.js'
import { type Piece, withPieces } from './parse-again.js'
import { readAs } from './without-grammar.js'

/** A name that an import statement introduces, or an import of a whole module. */
export interface Import {
  /** The module as written, without quotes: `./server`, `..pkg.mod`, `java.util.List`, `std::fs`, `stdio.h`. */
  module: string
  /** The imported name; `*` for all; absent where the module itself is imported. */
  name?: string
  /** The local name, if different. */
  alias?: string
  /** 1-based line of the statement. */
  line: number
}

/** First and last line, 1-based, inclusive. */
export type LineRange = readonly [first: number, last: number]

/** Everything that an index keeps of a source text, from one parse. */
export interface Facts {
  /** As from `parseVisible`: with parameters, in text order. */
  definitions: VisibleDefinition[]
  /** All identifiers outside strings and comments, in text order. */
  occurrences: Occurrence[]
  imports: Import[]
  /** Lines with syntax errors; definitions there may be missing. */
  errors: LineRange[]
}

/** Most error ranges to keep of a text. */
const MOST_ERRORS = 100

/**
 * Definitions, identifiers, imports and errors of a source text, from one parse.
 *
 * @param time shared by the texts of a call. Default: 5 seconds for this one
 * @throws HermesError as `parseDefinitions`
 */
export async function parseFacts(language: LanguageId, text: string, time?: ParseTime): Promise<Facts> {
  return readAs(language, text, {
    parsed: (parsed, source) => withPieces(parsed, source, (pieces, grammar, clock) => {
      const all = pieces.map((piece) => inPiece(piece, grammar, clock))
      return {
        definitions: all.flatMap(({ definitions }) => definitions),
        occurrences: all.flatMap(({ occurrences }) => occurrences),
        imports: all.flatMap(({ imports }) => imports),
        errors: joined(all.flatMap(({ errors }) => errors)),
      }
    }, time),
    byPattern: (pattern, source, clock) => {
      const definitions = definitionsByPattern(pattern, source, clock)
      return { definitions, occurrences: occurrencesByPattern(pattern, source, definitions), imports: [], errors: [] }
    },
    notebook: async (notebook) => inNotebook(notebook, await parseFacts(notebook.language, notebook.code, time)),
    none: { definitions: [], occurrences: [], imports: [], errors: [] },
  }, time)
}

function inNotebook(notebook: Notebook, { definitions, occurrences, imports, errors }: Facts): Facts {
  const lineOf = (line: number): number => notebook.inFile({ line, column: 1 }).line
  return {
    definitions: definitions.map((definition) => moveToFile(notebook, definition)),
    occurrences: occurrences.map((each) => ({ ...each, ...notebook.inFile(each) })),
    imports: imports.map((each) => ({ ...each, line: lineOf(each.line) })),
    errors: errors.map(([first, last]) => [lineOf(first), lineOf(last)]),
  }
}

function inPiece({ tree, from, to, defined }: Piece, grammar: Grammar, clock: ParseClock): Facts {
  const definitions = defined.map(({ definition }) => definition)
  const { imports, statements } = importsIn(tree, grammar, clock)
  const facts: Facts = {
    definitions,
    occurrences: occurrencesIn(tree, grammar, clock, { definitions, statements }),
    imports,
    errors: errorRanges(tree, grammar, clock),
  }
  if (from === 0 && to === Infinity) return facts
  const errors = facts.errors.filter(([first]) => first <= to)
    .map(([first, last]): LineRange => [first, Math.min(last, to)])
  const isHere = ({ line }: { line: number }): boolean => line > from && line <= to
  return {
    definitions,
    occurrences: facts.occurrences.filter(isHere),
    imports: facts.imports.filter(isHere),
    // An unfinished construct is reported at the end of the text.
    errors: errors.length === 0 && to < Infinity ? [[to, to]] : errors,
  }
}

/** Start and end offset of a statement. */
type Extent = readonly [start: number, end: number]

function importsIn(
  tree: Tree, grammar: Grammar, clock: ParseClock,
): { imports: Import[]; statements: Extent[] } {
  const imports = new Map<number, Import>()
  const statements: Extent[] = []
  /** By start of the statement: the path it names last; and the statements whose imports other patterns tell. */
  const paths = new Map<number, Import>()
  const named = new Set<number>()
  for (const { captures } of grammar.matches('imports', tree, clock)) {
    clock.check()
    const nodes = new Map(captures.map(({ name, node }) => [name, node]))
    const statement = nodes.get('import')
    const module = writtenAs('module', captures)
    const path = module ?? writtenAs('path', captures)
    if (!statement || !path) continue
    statements.push([statement.startIndex, statement.endIndex])
    const name = nodes.get('name')
    const own = nodes.get('default')
    const alias = nodes.get('alias') ?? own
    const line = statement.startPosition.row + 1
    if (!module) {
      paths.set(statement.startIndex, { ...splitPath(path.text), ...(alias && { alias: alias.text }), line })
      continue
    }
    const taken: Import = {
      module: bare(module.text),
      ...(own ? { name: 'default' } : name && { name: takenName(name.text, module.text) }),
      ...(nodes.has('all') && { name: '*' }),
      ...(alias && { alias: alias.text }),
      line,
    }
    const key = (name ?? alias ?? module).startIndex
    if (!imports.has(key)) imports.set(key, taken)
    named.add(statement.startIndex)
  }
  for (const [start, taken] of paths) if (!named.has(start)) imports.set(start, taken)
  const inOrder = [...imports].sort(([a], [b]) => a - b).map(([, taken]) => taken)
  return { imports: withoutBare(inOrder), statements: merged(statements) }
}

/** The source text from the first to the last node of a capture. */
function writtenAs(
  capture: string, captures: readonly { name: string; node: Node }[],
): { text: string; startIndex: number } | undefined {
  const nodes = captures.filter(({ name }) => name === capture).map(({ node }) => node)
  const [first] = nodes
  const last = nodes.at(-1)
  if (!first || !last) return undefined
  if (nodes.length === 1) return first
  const text = first.tree.rootNode.text.slice(first.startIndex, last.endIndex)
  return { text, startIndex: first.startIndex }
}

/** Splits `a.b.C` into `a.b` and `C`. */
function splitPath(path: string): Pick<Import, 'module' | 'name'> {
  const dot = path.lastIndexOf('.')
  return dot === -1 ? { module: path } : { module: path.slice(0, dot), name: path.slice(dot + 1) }
}

/** The imported name; Rust repeats the module before a star. */
function takenName(text: string, module: string): string {
  return text === `${module}::*` ? '*' : bare(text)
}

/** Drops module imports of statements that import names from the module. */
function withoutBare(imports: readonly Import[]): Import[] {
  const isBare = ({ name, alias }: Import): boolean => name === undefined && alias === undefined
  const key = ({ module, line }: Import): string => `${line} ${module}`
  const named = new Set(imports.filter((each) => !isBare(each)).map(key))
  return imports.filter((each) => !isBare(each) || !named.has(key(each)))
}

/** The text without quotes or angle brackets. */
function bare(text: string): string {
  return /^(["'`]).*\1$|^<.*>$/s.test(text) ? text.slice(1, -1) : text
}

function merged(extents: readonly Extent[]): Extent[] {
  const result: Extent[] = []
  for (const extent of [...extents].sort((a, b) => a[0] - b[0])) {
    const last = result.at(-1)
    if (last && extent[0] <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], extent[1])]
    else result.push(extent)
  }
  return result
}

function occurrencesIn(
  tree: Tree, grammar: Grammar, clock: ParseClock,
  { definitions, statements }: { definitions: readonly VisibleDefinition[]; statements: readonly Extent[] },
): Occurrence[] {
  const defined = new Set(definitions.map(({ nameLine, nameColumn }) => `${nameLine}:${nameColumn}`))
  const uses = new Map<number, { at: number; occurrence: Occurrence }>()
  for (const { captures } of grammar.matches('uses', tree, clock)) {
    for (const { name: capture, node } of captures) {
      if (capture.startsWith('_')) continue
      const at = node.startIndex
      const kind = capture === 'call' || capture === 'type' ? capture : 'other'
      const earlier = uses.get(at)
      if (earlier) {
        if (kind !== 'other' && earlier.occurrence.kind === 'other') earlier.occurrence.kind = kind
        continue
      }
      const { text: name, line, column } = nameIn(node, grammar.syntax)
      uses.set(at, { at, occurrence: { name, line, column, kind } })
    }
  }
  let next = 0
  return [...uses.values()].sort((a, b) => a.at - b.at).map(({ at, occurrence }) => {
    while (next < statements.length && statements[next]![1] <= at) next++
    const statement = statements[next]
    if (statement && statement[0] <= at) occurrence.kind = 'import'
    if (defined.has(`${occurrence.line}:${occurrence.column}`)) occurrence.kind = 'definition'
    return occurrence
  })
}

function errorRanges(tree: Tree, grammar: Grammar, clock: ParseClock): LineRange[] {
  if (!tree.rootNode.hasError) return []
  return joined(grammar.matches('errors', tree, clock).flatMap(({ captures }) => captures.map(({ node }): LineRange => (
    [node.startPosition.row + 1, node.endPosition.row + 1]
  ))))
}

/** Merges adjacent ranges. */
function joined(all: readonly LineRange[]): LineRange[] {
  const ranges: [number, number][] = []
  for (const [first, last] of all) {
    const before = ranges.at(-1)
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last)
    else if (ranges.length < MOST_ERRORS) ranges.push([first, last])
  }
  return ranges
}

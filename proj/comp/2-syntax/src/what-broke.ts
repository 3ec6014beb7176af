import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import { addTo } from '../../0-text/src/index.js'
import { exportsElsewhere } from './exports-elsewhere.js'
import { loneBracketIn } from './open-bracket.js'
import { marksOf } from './declaration-marks.js'
import type { ParsedId } from './language-id.js'
import type { VisibleDefinition } from './definition.js'
import { definitionsIn } from './definitions-in.js'
import type { ParseClock, ParseTime } from './parse-time.js'
import { fullName } from './symbol-name.js'
import { DeclarationReader } from './whole-declaration.js'
import { withoutBom, withTree } from './with-tree.js'

const TAB = 8

/** Lines around a change that may hold the end of what it parts from its declaration. */
const BESIDE = 2
/** Comments, decorators and attributes, as their first and last lines may look: they stand before a declaration. */
const STANDS_BEFORE = /[@#[\]]|\/[/*]|\*\/|["']{3}|^\s*[\])}]*\)/
const DECLARING_WORDS = /\b(?:export|async|pub)\b/

/** A syntax error. */
export interface SyntaxProblem {
  /** 1-based. */
  line: number
  /** Text of the line. */
  text: string
  /** What the parser expected there. */
  missing?: string
}

/** Damage that a change did to code. */
export interface Breakage {
  /** New syntax errors. */
  parseErrors: SyntaxProblem[]
  /** What remaining declarations lost. */
  dropped: { name: string; line: number; marks: string[] }[]
}

/**
 * Languages whose grammars report errors in correct code. They do not know the expansion of macros: more than half of
 * all C files have such errors. Others lag behind the language: a quarter of all Swift files have some.
 */
const DOUBTFUL = new Set<ParsedId>(['c', 'cpp', 'swift', 'scala', 'bash', 'kotlin'])
/** A line of C behind which no semicolon is missing, since a macro stands for or before a loop or declaration. */
const HAS_MACRO = /^\w+\s*\(.*\)\s*\{?$|\b[A-Z][A-Z\d_]{2,}\b|\b__\w+/

/** Most errors to compare; texts with more are not judged. */
const MOST_ERRORS = 50
/** Most declarations around the change to examine. */
const MOST_LOOKED_AT = 200
/** Lines around a change in which a declaration may have lost a part: decorators above, a docstring below. */
const REACH = { above: 30, below: 40 }

/**
 * What a change broke or removed in a text.
 *
 * @param before absent for a new text: then only syntax errors are reported, and none in a doubtful language
 * @throws HermesError as `parseDefinitions`
 */
export async function whatBroke(
  language: ParsedId, before: string | undefined, after: string, time?: ParseTime,
): Promise<Breakage> {
  if (before === after) return { parseErrors: [], dropped: [] }
  const [old, now] = [linesOf(before ?? ''), linesOf(after)]
  const start = commonStart(old, now)
  const end = commonStart(old.slice(start).reverse(), now.slice(start).reverse())
  const mayLose = before !== undefined && mayLoseMarks(old, now, start, end)
  const broken = await looked(language, after, { lines: now, first: start, last: now.length - end, mayLose }, time)
  if (before === undefined) return { parseErrors: DOUBTFUL.has(language) ? [] : broken.errors, dropped: [] }
  if (broken.errors.length === 0 && !mayLose) return { parseErrors: [], dropped: [] }
  const had = await looked(language, before, { lines: old, first: start, last: old.length - end, mayLose }, time)
  const isInDoubt = DOUBTFUL.has(language) && had.errors.length > 0
  return {
    parseErrors: isInDoubt ? [] : newErrors(had.errors, broken.certain),
    dropped: dropped(had.marks, broken.marks, exportsElsewhere(language, after)),
  }
}

interface Changed {
  lines: string[]
  /** Lines that differ from the other text, 0-based; `last` is exclusive. */
  first: number
  last: number
  /** Whether declarations have to be examined. */
  mayLose: boolean
}

interface Looked {
  errors: SyntaxProblem[]
  /** Errors that are certain. */
  certain: readonly SyntaxProblem[]
  /** By name of the declaration, its index among those of the same name, and their count. */
  marks: Map<string, Breakage['dropped'][number]>
}

async function looked(
  language: ParsedId, text: string, { lines, first, last, mayLose }: Changed, time: ParseTime | undefined,
): Promise<Looked> {
  const source = withoutBom(text)
  return withTree(language, source, (tree, grammar, clock) => {
    const ofGrammar = errorsIn(tree, lines, clock)
    const errors = ofGrammar.length === 0 && language === 'python'
      ? wronglyIndented(tree, lines, clock).slice(0, MOST_ERRORS) : ofGrammar
    const certain = certainOf(language, errors, () => loneBracketIn(tree, grammar.syntax, clock) !== undefined)
    if (!mayLose) return { errors, certain, marks: new Map() }
    const all = definitionsIn(tree, grammar, clock).filter(({ definition: { shared, parameter } }) => (
      shared && !parameter
    ))
    const keys = keysOf(all.map(({ definition }) => definition))
    const near = all.filter(({ definition: { nameLine } }) => (
      nameLine >= first - REACH.above && nameLine <= last + REACH.below
    )).slice(0, MOST_LOOKED_AT)
    const reader = new DeclarationReader(source, tree.rootNode, grammar.syntax)
    const marks: Looked['marks'] = new Map()
    for (const { definition, node } of near) {
      clock.check()
      const whole = reader.read(node)
      // On a line shared with other code, it is unclear what belongs to which.
      if (whole.tail === undefined) continue
      marks.set(keys.get(definition) ?? '', {
        name: fullName(definition), line: definition.nameLine,
        marks: marksOf(language, lines, whole, { definition, node }),
      })
    }
    return { errors, certain, marks }
  }, time)
}

/** The certain errors: in a doubtful language only unpaired brackets, and missing semicolons behind plain C code. */
function certainOf(
  language: ParsedId, errors: readonly SyntaxProblem[], hasLoneBracket: () => boolean,
): readonly SyntaxProblem[] {
  if (errors.length === 0 || !DOUBTFUL.has(language) || hasLoneBracket()) return errors
  return errors.filter(({ missing, text }) => missing === ';' && !HAS_MACRO.test(text))
}

function errorsIn(tree: Tree, lines: readonly string[], clock: ParseClock): SyntaxProblem[] {
  const syntaxProblems: SyntaxProblem[] = []
  // Iterative, since code may be nested deeper than the stack.
  const left: Node[] = tree.rootNode.hasError ? [tree.rootNode] : []
  for (let node = left.pop(); node && syntaxProblems.length < MOST_ERRORS; node = left.pop()) {
    clock.check()
    const inner = node.children.filter((child) => child !== null)
      .filter((child) => child.hasError || child.isError || child.isMissing)
    // An error node may span the whole text; the errors inside it show the place.
    for (const child of inner.reverse()) left.push(child)
    if (inner.length > 0 || !(node.isError || node.isMissing)) continue
    const { row } = node.startPosition
    const text = (lines[row] ?? '').trim()
    syntaxProblems.push({ line: row + 1, text, ...(node.isMissing && { missing: node.type }) })
  }
  return syntaxProblems
}

function keysOf(definitions: readonly VisibleDefinition[]): Map<VisibleDefinition, string> {
  const same = new Map<string, VisibleDefinition[]>()
  for (const each of definitions) addTo(same, fullName(each), each)
  // If the number of declarations of a name has changed, they cannot be matched.
  return new Map([...same].flatMap(([name, all]) => (
    all.map((each, index) => [each, JSON.stringify([name, index, all.length])] as const)
  )))
}

function newErrors(before: readonly SyntaxProblem[], after: readonly SyntaxProblem[]): SyntaxProblem[] {
  if (before.length >= MOST_ERRORS) return []
  const key = ({ text, missing }: SyntaxProblem): string => JSON.stringify([text, missing])
  const old = before.map(key)
  return after.filter((each) => {
    const at = old.indexOf(key(each))
    if (at !== -1) old.splice(at, 1)
    return at === -1
  })
}

function dropped(
  before: Looked['marks'], after: Looked['marks'], isExported: (name: string) => boolean,
): Breakage['dropped'] {
  return [...after].flatMap(([key, { name, line, marks: has }]) => {
    const lost = before.get(key)?.marks.filter((mark) => (
      !has.includes(mark) && countOf(after, name, mark) < countOf(before, name, mark)
      && !(mark.startsWith('export') && isExported(name))
    )) ?? []
    return lost.length === 0 ? [] : [{ name, line, marks: [...new Set(lost)] }]
  })
}

/** Number of declarations of a name with a mark, since they may have changed places. */
function countOf(all: Looked['marks'], name: string, mark: string): number {
  return [...all.values()].filter((each) => each.name === name && each.marks.includes(mark)).length
}

function linesOf(text: string): string[] {
  return withoutBom(text).split(/\r?\n/)
}

function commonStart(some: readonly string[], others: readonly string[]): number {
  let count = 0
  while (count < some.length && count < others.length && some[count] === others[count]) count++
  return count
}

/**
 * Whether a change may have taken from a declaration what `marksOf` finds. Most have not, as lines show without a look
 * at the declarations, which takes far longer than to parse the file.
 *
 * @param start how many lines both texts begin with, and `end` how many they end with
 */
function mayLoseMarks(old: readonly string[], now: readonly string[], start: number, end: number): boolean {
  const around = old.slice(Math.max(0, start - BESIDE), old.length - end + BESIDE)
  if (around.some((line) => STANDS_BEFORE.test(line))) return true
  const kept = headsOf(now.slice(start, now.length - end))
  let at = 0
  return headsOf(old.slice(start, old.length - end)).some((head) => {
    const index = kept.indexOf(head, at)
    at = index + 1
    return index === -1
  })
}

/** Of lines with such a word: all up to the name, and whether the value is `async`. */
function headsOf(lines: readonly string[]): string[] {
  return lines.filter((line) => DECLARING_WORDS.test(line)).map((line) => {
    const [head = ''] = line.replace(/\bpub\([^)]*\)/, 'pub').split(/[=({<:;,]/, 1)
    return `${head.trim()}${/^[^=]*=\s*async\b/.test(line) ? '=async' : ''}`
  })
}

/**
 * Finds what the grammar of Python itself accepts: blocks without a statement, and statements that begin in another
 * column than the first of their block.
 */
function wronglyIndented(tree: Tree, lines: readonly string[], clock: ParseClock): SyntaxProblem[] {
  const problems: SyntaxProblem[] = []
  const add = (row: number, missing: string): void => {
    problems.push({ line: row + 1, text: (lines[row] ?? '').trim(), missing })
  }
  const check = (node: Node, isModule: boolean): void => {
    const statements = node.namedChildren.filter((child) => child !== null)
      .filter(({ type }) => type !== 'comment' && type !== 'line_continuation')
    if (statements.length === 0 && !isModule) {
      // The missing node has no extent; the last token of its parent shows the place.
      add(node.previousSibling?.endPosition.row ?? node.startPosition.row, 'indented block')
    }
    let wanted = isModule ? 0 : undefined
    for (const { startPosition: { row, column } } of statements) {
      const before = (lines[row] ?? '').slice(0, column)
      // Behind other code, or in a continued line, any column is allowed.
      if (before.trim() !== '' || lines[row - 1]?.trimEnd().endsWith('\\') === true) continue
      const width = widthOf(before)
      wanted ??= width
      if (width !== wanted) add(row, 'indentation of a block around it')
    }
  }
  const visit = (node: Node): void => {
    clock.check()
    if (node.type === 'block' || node.type === 'module') check(node, node.type === 'module')
    for (const child of node.namedChildren) if (child) visit(child)
  }
  visit(tree.rootNode)
  return problems
}

function widthOf(space: string): number {
  let width = 0
  for (const sign of space) {
    if (sign === '\f') width = 0
    else width += sign === '\t' ? TAB - width % TAB : 1
  }
  return width
}

import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import { exportsElsewhere } from './exports-elsewhere.js'
import { wronglyIndented } from './indentation.js'
import { loneBracketIn } from './open-bracket.js'
import { marksOf } from './declaration-marks.js'
import type { ParsedId } from './language-id.js'
import type { VisibleDefinition } from './definition.js'
import { definitionsIn } from './definitions-in.js'
import { mayLoseMarks } from './lost-marks.js'
import type { ParseClock, ParseTime } from './parse-time.js'
import { fullName } from './symbol-name.js'
import { DeclarationReader } from './whole-declaration.js'
import { withoutBom, withTree } from './with-tree.js'

/** A place that is no code of the language. */
export interface SyntaxProblem {
  /** From 1. */
  line: number
  /** The line. */
  text: string
  /** What the parser misses there. */
  missing?: string
}

/** What a change did to code, besides what it was for. */
export interface Breakage {
  /** What was not there before. */
  parseErrors: SyntaxProblem[]
  /** What declarations that are still there have no more. */
  dropped: { name: string; line: number; marks: string[] }[]
}

/**
 * Languages whose code has parse errors that no compiler sees. Grammars do not know what macros become: more than half
 * of the files of C have such errors. Others are behind their language: a quarter of the files of Swift have some.
 */
const DOUBTFUL = new Set<ParsedId>(['c', 'cpp', 'swift', 'scala', 'bash', 'kotlin'])
/** A line of C after which no semicolon is missing: a macro in the place of a loop or declaration, or before one. */
const HAS_MACRO = /^\w+\s*\(.*\)\s*\{?$|\b[A-Z][A-Z\d_]{2,}\b|\b__\w+/

/** Errors that are compared; of a text with more nothing is told. */
const MOST_ERRORS = 50
/** Declarations around the change that are looked at. */
const MOST_LOOKED_AT = 200
/** Lines from a change within which a declaration may have had a part of it: its decorators, or its docstring. */
const REACH = { above: 30, below: 40 }

/**
 * What a text has no more, or newly has, after a change.
 *
 * @param before absent for a new text: then there are only parse errors, and none in a doubtful language
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
  const found = await looked(language, after, { lines: now, first: start, last: now.length - end, mayLose }, time)
  if (before === undefined) return { parseErrors: DOUBTFUL.has(language) ? [] : found.errors, dropped: [] }
  if (found.errors.length === 0 && !mayLose) return { parseErrors: [], dropped: [] }
  const had = await looked(language, before, { lines: old, first: start, last: old.length - end, mayLose }, time)
  const isInDoubt = DOUBTFUL.has(language) && had.errors.length > 0
  return {
    parseErrors: isInDoubt ? [] : newErrors(had.errors, found.certain),
    dropped: dropped(had.marks, found.marks, exportsElsewhere(language, after)),
  }
}

interface Changed {
  lines: string[]
  /** The lines that are not in the other text, from 0; `last` is the one after them. */
  first: number
  last: number
  /** Declarations are to be looked at. */
  mayLose: boolean
}

interface Looked {
  errors: SyntaxProblem[]
  /** Those that are surely in the code. */
  certain: readonly SyntaxProblem[]
  /** By the name of the declaration, and which of how many of that name it is. */
  marks: Map<string, Marked>
}

interface Marked {
  name: string
  line: number
  marks: string[]
}

async function looked(
  language: ParsedId, text: string, { lines, first, last, mayLose }: Changed, time: ParseTime | undefined,
): Promise<Looked> {
  const source = withoutBom(text)
  return withTree(language, source, (tree, grammar, clock) => {
    const errors = problemsIn(language, { tree, lines, clock })
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
      // In a line with other code it cannot be told what stands before which.
      if (whole.tail === undefined) continue
      marks.set(keys.get(definition) ?? '', {
        name: fullName(definition), line: definition.nameLine,
        marks: marksOf(language, lines, whole, { definition, node }),
      })
    }
    return { errors, certain, marks }
  }, time)
}

function problemsIn(
  language: ParsedId, { tree, lines, clock }: { tree: Tree; lines: readonly string[]; clock: ParseClock },
): SyntaxProblem[] {
  const errors = errorsIn(tree, lines, clock)
  if (errors.length === 0 && language === 'python') {
    return wronglyIndented(tree, lines, clock).slice(0, MOST_ERRORS).map(({ row, missing }) => ({
      line: row + 1, text: (lines[row] ?? '').trim(), missing: missing ?? 'indentation of a block around it',
    }))
  }
  return errors
}

/** In a doubtful language only errors of brackets count, and semicolons that C misses behind plain code. */
function certainOf(
  language: ParsedId, errors: readonly SyntaxProblem[], hasLoneBracket: () => boolean,
): readonly SyntaxProblem[] {
  if (errors.length === 0 || !DOUBTFUL.has(language) || hasLoneBracket()) return errors
  return errors.filter(({ missing, text }) => missing === ';' && !HAS_MACRO.test(text))
}

function errorsIn(tree: Tree, lines: readonly string[], clock: ParseClock): SyntaxProblem[] {
  const found: SyntaxProblem[] = []
  // Code may be nested more deeply than calls can be.
  const left: Node[] = tree.rootNode.hasError ? [tree.rootNode] : []
  for (let node = left.pop(); node && found.length < MOST_ERRORS; node = left.pop()) {
    clock.check()
    const inner = node.children.filter((child) => child !== null)
      .filter((child) => child.hasError || child.isError || child.isMissing)
    // An error around others may be all of the text: what is in it says where.
    for (const child of inner.reverse()) left.push(child)
    if (inner.length > 0 || !(node.isError || node.isMissing)) continue
    const { row } = node.startPosition
    const text = (lines[row] ?? '').trim()
    found.push({ line: row + 1, text, ...(node.isMissing && { missing: node.type }) })
  }
  return found
}

function keysOf(definitions: readonly VisibleDefinition[]): Map<VisibleDefinition, string> {
  const same = new Map<string, VisibleDefinition[]>()
  for (const each of definitions) {
    const name = fullName(each)
    const others = same.get(name)
    if (others) others.push(each)
    else same.set(name, [each])
  }
  // Where there are more or fewer of a name than before, nobody knows which is which.
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

/** Declarations of one name may have changed places. */
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

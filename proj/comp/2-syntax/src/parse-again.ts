import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import { HermesError } from '../../0-contracts/src/index.js'
import type { VisibleDefinition } from './definition.js'
import type { ParsedId } from './language-id.js'
import type { Grammar } from './load-grammar.js'
import { definitionsIn } from './definitions-in.js'
import { blank } from './page-scripts.js'
import type { ParseClock, ParseTime } from './parse-time.js'
import { quotedRegions, type Region } from './quoted-regions.js'
import { parseWithin, withTree } from './with-tree.js'

/** A tree, and the rows of the text that are taken from it. */
export interface Piece {
  tree: Tree
  /** First row, from 0. */
  from: number
  /** The row after the last one. */
  to: number
  found: { definition: VisibleDefinition; node: Node }[]
}

/** Times that the rest of a broken text is parsed anew, and how often of these in vain: it may be no code at all. */
const MOST_RESTARTS = 6
const MOST_IN_VAIN = 3
/** How much is parsed anew in all, in lengths of the text. */
const MOST_ANEW = 3

/**
 * A line in the first column that may begin a definition: no bracket, comment or preprocessor line, and no word that
 * goes on with what came before.
 */
const OPENER = new RegExp(
  '^(?!(?:end|else|elif|elsif|elseif|except|finally|catch|rescue|ensure|then|do|fi|done|esac|case|when|default|public'
  + '|private|protected|and|or|in)(?:$|[^\\p{L}\\p{N}_][^\\p{L}]*$|:))(?:[\\p{L}_@$]|#?\\[)', 'gmu',
)

/**
 * Parses a text as `withTree` does. An error can take in the definitions behind it: where the tree has none at a line
 * that may begin one, the text from there on is parsed again, and counts if more is found in it. So of a broken text at
 * most three times its length is parsed anew, and nothing of one without errors.
 *
 * @throws HermesError as `withTree`
 */
export function withPieces<Result>(
  language: ParsedId, text: string, use: (pieces: readonly Piece[], grammar: Grammar, clock: ParseClock) => Result,
  time?: ParseTime,
): Promise<Result> {
  return withTree(language, text, (tree, grammar, clock, source) => {
    const whole: Piece = { tree, from: 0, to: Infinity, found: definitionsIn(tree, grammar, clock) }
    if (!tree.rootNode.hasError) return use([whole], grammar, clock)
    const recovery = new Recovery(whole, grammar, clock, source)
    try {
      const result = use(recovery.pieces(), grammar, clock)
      recovery.free()
      return result
    } catch (error) {
      // As in `withTree`: after an error of WebAssembly's own its memory is not touched.
      if (error instanceof HermesError) recovery.free()
      throw error
    }
  }, time)
}

class Recovery {
  readonly #pieces: Piece[]
  readonly #grammar: Grammar
  readonly #clock: ParseClock
  readonly #source: string
  readonly #trees: Tree[] = []
  readonly #quoted: readonly Region[]

  constructor(whole: Piece, grammar: Grammar, clock: ParseClock, source: string) {
    this.#pieces = [whole]
    this.#grammar = grammar
    this.#clock = clock
    this.#source = source
    this.#quoted = quotedRegions(grammar.syntax.grammar, source)
    whole.found = this.#code(whole.found)
  }

  pieces(): readonly Piece[] {
    const openers = outside(this.#quoted, openersIn(this.#source), ({ index }) => index)
    let last = this.#pieces[0]!
    let lost = lostOpeners(last, openers, this.#clock)
    let left = MOST_ANEW * this.#source.length
    let inVain = 0
    for (let restarts = 0; restarts < MOST_RESTARTS && inVain < MOST_IN_VAIN; restarts++) {
      const opener = lost.shift()
      if (!opener) break
      left -= this.#source.length - opener.index
      const next = left < 0 ? undefined : this.#from(opener)
      if (!next) break
      if (isBetter(next, last)) {
        last.to = opener.row
        last.found = this.#cut(last)
        this.#pieces.push(next)
        last = next
        lost = lostOpeners(next, openers, this.#clock)
      } else inVain++
    }
    return this.#pieces
  }

  free(): void {
    for (const tree of this.#trees) tree.delete()
  }

  /** The text from a line on; `undefined` where no time is left. */
  #from({ row, index }: Opener): Piece | undefined {
    const before = this.#source.slice(0, index)
    // PHP is text up to its tag.
    const tag = this.#grammar.syntax.grammar === 'php' ? before.indexOf('<?php') : -1
    const head = tag === -1 ? blank(before) : `${blank(before.slice(0, tag))}<?php${blank(before.slice(tag + 5))}`
    try {
      const tree = parseWithin(this.#grammar, head + this.#source.slice(index), this.#clock)
      this.#trees.push(tree)
      const found = this.#code(definitionsIn(tree, this.#grammar, this.#clock))
      return { tree, from: row, to: Infinity, found }
    } catch (error) {
      if (error instanceof HermesError && error.code === 'TIMEOUT') return undefined
      throw error
    }
  }

  /** Not what the tree makes of strings and comments. */
  #code(found: Piece['found']): Piece['found'] {
    if (this.#quoted.length === 0) return found
    return outside(this.#quoted, found, ({ node }) => node.startIndex)
  }

  /** What begins in a piece; what the next one begins in ends before it. */
  #cut({ found, to }: Piece): Piece['found'] {
    const kept = found.filter(({ definition }) => definition.startLine <= to)
    if (kept.every(({ definition }) => definition.endLine <= to)) return kept
    const lines = this.#source.split('\n', to).map((line) => line.trimEnd())
    const endLine = lines.findLastIndex((line) => line !== '') + 1
    const endColumn = (lines[endLine - 1]?.length ?? 0) + 1
    for (const { definition } of kept) if (definition.endLine > to) Object.assign(definition, { endLine, endColumn })
    return kept
  }
}

/** What begins in none of some regions; both in their order. */
function outside<Item>(regions: readonly Region[], items: readonly Item[], startOf: (item: Item) => number): Item[] {
  let next = 0
  return items.filter((item) => {
    const start = startOf(item)
    while (next < regions.length && regions[next]![1] <= start) next++
    return next >= regions.length || start < regions[next]![0]
  })
}

const STRING = /string|heredoc|template_content/

interface Opener {
  row: number
  index: number
}

function openersIn(source: string): Opener[] {
  const openers: Opener[] = []
  let row = 0
  let at = 0
  for (const { index } of source.matchAll(OPENER)) {
    for (let next = source.indexOf('\n', at); next !== -1 && next < index; next = source.indexOf('\n', at)) {
      row++
      at = next + 1
    }
    if (index > 0) openers.push({ row, index })
  }
  return openers
}

/**
 * The lines of a piece that may begin a definition, and of which its tree has nothing: an error is around them, or a
 * string in a declaration with an error, since a lone quote makes strings of code and code of strings.
 */
function lostOpeners({ tree, from }: Piece, openers: readonly Opener[], clock: ParseClock): Opener[] {
  const inErrors = within(errorRegions(tree, clock))
  const inBroken = within(tree.rootNode.children.filter((child) => child?.hasError).map((child) => rowsOf(child!)))
  return openers.filter((opener) => {
    if (opener.row <= from) return false
    clock.check()
    const isInError = inErrors(opener.row)
    return (inBroken(opener.row) && isInString(tree, opener)) || (isInError && !standsAlone(tree, opener))
  })
}

interface Rows {
  first: number
  last: number
}

function rowsOf({ startPosition, endPosition }: Node): Rows {
  return { first: startPosition.row, last: endPosition.row }
}

/** Whether a row is in one of some ranges; to be asked of rows in their order. */
function within(ranges: readonly Rows[]): (row: number) => boolean {
  let next = 0
  return (row) => {
    while (next < ranges.length && ranges[next]!.last < row) next++
    return next < ranges.length && ranges[next]!.first <= row
  }
}

/** Rows of errors, and of what has no end. They do not overlap. */
function errorRegions(tree: Tree, clock: ParseClock): Rows[] {
  const regions: Rows[] = []
  const open: Node[] = [tree.rootNode]
  for (let node = open.pop(); node; node = open.pop()) {
    clock.check()
    const children = node.children.filter((child) => child !== null)
    const isUnclosed = children.some((child) => child.isMissing && child.type !== '#endif')
    if (node.isError || isUnclosed) {
      const { first, last } = rowsOf(node)
      const before = regions.at(-1)
      if (before && first <= before.last) before.last = Math.max(before.last, last)
      else regions.push({ first, last })
    } else for (const child of children.reverse()) if (child.hasError) open.push(child)
  }
  return regions
}

/** Something whole begins there that nothing but errors is around. */
function standsAlone(tree: Tree, { row }: Opener): boolean {
  let node = tree.rootNode.descendantForPosition({ row, column: 0 })
  while (node?.parent && isAt(node.parent, row) && !node.parent.isError) node = node.parent
  if (!node || !isAt(node, row) || !node.isNamed || node.isError || node.namedChildCount === 0) return false
  let around = node.parent
  while (around?.isError) around = around.parent
  return !around?.parent
}

function isInString(tree: Tree, { row }: Opener): boolean {
  let node = tree.rootNode.descendantForPosition({ row, column: 0 })
  while (node && !STRING.test(node.type)) node = node.parent
  return node !== null && node.startPosition.row < row
}

function isAt({ startPosition: { row, column } }: Node, wanted: number): boolean {
  return row === wanted && column === 0
}

/** More can be used from elsewhere in it: what was lost, or taken for local. */
function isBetter(next: Piece, than: Piece): boolean {
  const count = ({ found }: Piece): number => (
    found.filter(({ definition: { shared, startLine } }) => shared && startLine > next.from).length
  )
  return count(next) > count(than)
}

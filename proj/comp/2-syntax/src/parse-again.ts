import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import { HermesError, unless } from '../../0-contracts/src/index.js'
import type { VisibleDefinition } from './definition.js'
import type { ParsedId } from './language-id.js'
import type { Grammar } from './load-grammar.js'
import { definitionsIn } from './definitions-in.js'
import { blank } from './page-scripts.js'
import type { ParseClock, ParseTime } from './parse-time.js'
import { quotedRegions, type Region } from './quoted-regions.js'
import { freed, parseWithin, withTree } from './with-tree.js'

/** A tree, and the rows of the text for which it counts. */
export interface Piece {
  tree: Tree
  /** First row, 0-based. */
  from: number
  /** Row behind the last one. */
  to: number
  defined: { definition: VisibleDefinition; node: Node }[]
}

/**
 * Most times that the rest of a broken text is parsed again, and most of these without gain, since it may be no code.
 */
const MOST_RESTARTS = 6
const MOST_IN_VAIN = 3
/** Most text parsed again in total, as a multiple of its length. */
const MOST_ANEW = 3

/**
 * A line in column 1 that may begin a definition: no bracket, comment or preprocessor line, and no keyword that
 * continues the previous statement.
 */
const OPENER = new RegExp(
  '^(?!(?:end|else|elif|elsif|elseif|except|finally|catch|rescue|ensure|then|do|fi|done|esac|case|when|default|public'
  + '|private|protected|and|or|in)(?:$|[^\\p{L}\\p{N}_][^\\p{L}]*$|:))(?:[\\p{L}_@$]|#?\\[)', 'gmu',
)

/**
 * Parses a text as `withTree` does. A syntax error may swallow the definitions behind it: where a line may begin a
 * definition but the tree has none there, the text from there on is parsed again, and the result is used if it reveals
 * more of them. At most three times the length of a broken text is parsed again, and nothing of a correct one.
 *
 * @throws HermesError as `withTree`
 */
export function withPieces<Result>(
  language: ParsedId, text: string, use: (pieces: readonly Piece[], grammar: Grammar, clock: ParseClock) => Result,
  time?: ParseTime,
): Promise<Result> {
  return withTree(language, text, (tree, grammar, clock, source) => {
    const whole: Piece = { tree, from: 0, to: Infinity, defined: definitionsIn(tree, grammar, clock) }
    if (!tree.rootNode.hasError) return use([whole], grammar, clock)
    const recovery = new Recovery(whole, grammar, clock, source)
    return freed(() => use(recovery.pieces(), grammar, clock), () => recovery.free())
  }, time)
}

class Recovery {
  readonly #pieces: Piece[]
  readonly #trees: Tree[] = []
  readonly #quoted: readonly Region[]

  constructor(
    whole: Piece, private readonly grammar: Grammar, private readonly clock: ParseClock,
    private readonly source: string,
  ) {
    this.#pieces = [whole]
    this.#quoted = quotedRegions(grammar.syntax.grammar, source)
    whole.defined = this.#code(whole.defined)
  }

  pieces(): readonly Piece[] {
    const openers = outside(this.#quoted, openersIn(this.source), ({ index }) => index)
    let last = this.#pieces[0]!
    let lost = lostOpeners(last, openers, this.clock)
    let left = MOST_ANEW * this.source.length
    let inVain = 0
    for (let restarts = 0; restarts < MOST_RESTARTS && inVain < MOST_IN_VAIN; restarts++) {
      const opener = lost.shift()
      if (!opener) break
      left -= this.source.length - opener.index
      const next = left < 0 ? undefined : this.#from(opener)
      if (!next) break
      if (isBetter(next, last, openers)) {
        last.to = opener.row
        last.defined = this.#cut(last)
        this.#pieces.push(next)
        last = next
        lost = lostOpeners(next, openers, this.clock)
      } else inVain++
    }
    return this.#pieces
  }

  free(): void {
    for (const tree of this.#trees) tree.delete()
  }

  /** Parses the text from a line on; `undefined` where no time is left. */
  #from({ row, index }: Opener): Piece | undefined {
    const before = this.source.slice(0, index)
    // PHP files are text up to the opening tag.
    const tag = this.grammar.syntax.grammar === 'php' ? before.indexOf('<?php') : -1
    const head = tag === -1 ? blank(before) : `${blank(before.slice(0, tag))}<?php${blank(before.slice(tag + 5))}`
    return unless((error) => error instanceof HermesError && error.code === 'TIMEOUT', () => {
      const tree = parseWithin(this.grammar, head + this.source.slice(index), this.clock)
      this.#trees.push(tree)
      const defined = this.#code(definitionsIn(tree, this.grammar, this.clock))
      return { tree, from: row, to: Infinity, defined }
    }, undefined)
  }

  /** Drops what the tree finds inside strings and comments. */
  #code(defined: Piece['defined']): Piece['defined'] {
    if (this.#quoted.length === 0) return defined
    return outside(this.#quoted, defined, ({ node }) => node.startIndex)
  }

  /** What begins in a piece, ending before the next piece at the latest. */
  #cut({ defined, to }: Piece): Piece['defined'] {
    const kept = defined.filter(({ definition }) => definition.startLine <= to)
    if (kept.every(({ definition }) => definition.endLine <= to)) return kept
    const lines = this.source.split('\n', to).map((line) => line.trimEnd())
    const endLine = lines.findLastIndex((line) => line !== '') + 1
    const endColumn = (lines[endLine - 1]?.length ?? 0) + 1
    for (const { definition } of kept) if (definition.endLine > to) Object.assign(definition, { endLine, endColumn })
    return kept
  }
}

/** Items outside all regions; both are sorted. */
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
 * Lines of a piece that may begin a definition but are missing in its tree: an error is around them, or a string in a
 * faulty declaration, since an unpaired quote swaps strings and code.
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

/** Tests whether a row is in one of the ranges; rows must ascend. */
function within(ranges: readonly Rows[]): (row: number) => boolean {
  let next = 0
  return (row) => {
    while (next < ranges.length && ranges[next]!.last < row) next++
    return next < ranges.length && ranges[next]!.first <= row
  }
}

/** Row ranges of errors and of unfinished nodes; they do not overlap. */
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

/** Whether a complete node begins there that is only inside errors. */
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

/**
 * Whether a piece reveals more lines in column 1 that begin shared definitions, or as many of which fewer are taken for
 * members of what does not end. Other definitions do not count: an error makes some of what is none.
 */
function isBetter(next: Piece, than: Piece, openers: readonly Opener[]): boolean {
  const rows = new Set(openers.map(({ row }) => row).filter((row) => row >= next.from))
  const begun = ({ defined }: Piece): VisibleDefinition[] => defined.map(({ definition }) => definition)
    .filter(({ shared, startLine }) => shared && rows.has(startLine - 1))
  const lines = (all: readonly VisibleDefinition[]): number => new Set(all.map(({ startLine }) => startLine)).size
  const isOuter = ({ depth }: VisibleDefinition): boolean => depth === 0
  const [now, old] = [begun(next), begun(than)]
  const more = lines(now) - lines(old)
  return more > 0 || (more === 0 && lines(now.filter(isOuter)) > lines(old.filter(isOuter)))
}

import type { Node } from '@vscode/tree-sitter-wasm'
import type { LanguageSyntax } from './languages/syntax-data.js'

/** The lines of a declaration with all that belongs to it: `export`, decorators, attributes; from 1. */
export interface WholeDeclaration {
  firstLine: number
  lastLine: number
  /** The first line of the comments right above it; `firstLine` where there are none. */
  commentLine: number
  /**
   * What stands behind it in its last line, at most a comma or semicolon and a comment. Absent where other code stands
   * in its lines too.
   */
  tail?: string
}

/** Looks at the code around declarations. A step up or aside in a tree costs time by the nodes there: ask for few. */
export class DeclarationReader {
  readonly #source: string
  readonly #root: Node
  readonly #syntax: LanguageSyntax
  readonly #lineStarts: readonly number[]

  constructor(source: string, root: Node, syntax: LanguageSyntax) {
    this.#source = source
    this.#root = root
    this.#syntax = syntax
    this.#lineStarts = lineStartsOf(source)
  }

  /** @param definition the node that defines */
  read(definition: Node): WholeDeclaration {
    const node = this.#wrapped(definition)
    const first = this.#withMarks(node)
    const start = first.startIndex
    // The line break at the end, as of C's `#define`, is no part of it.
    const end = start + this.#source.slice(start, node.endIndex).trimEnd().length
    const firstRow = first.startPosition.row
    const lastRow = this.#rowOf(end, firstRow)
    const tail = this.#indentOf(firstRow) === start ? this.#tailFrom(end, lastRow) : undefined
    return {
      firstLine: firstRow + 1,
      lastLine: lastRow + 1,
      commentLine: this.#commentRow(firstRow) + 1,
      ...(tail !== undefined && { tail }),
    }
  }

  #wrapped(definition: Node): Node {
    let node = definition
    while (node.parent && this.#syntax.wrappers?.includes(node.parent.type) && !isGroup(node.parent)) node = node.parent
    return node
  }

  #withMarks(node: Node): Node {
    let first = node
    const { marks } = this.#syntax
    for (let before = marks && node.previousSibling; before; before = before.previousSibling) {
      if (marks?.includes(before.type)) first = before
      else if (!isComment(before)) break
    }
    return first
  }

  /** The first row of the comments that end right above a row, each on rows of its own. */
  #commentRow(row: number): number {
    let first = row
    while (first > 0) {
      const line = this.#line(first - 1).trimEnd()
      if (line.trimStart() === '' || (first === 1 && line.startsWith('#!'))) break
      const comment = this.#commentAt(first - 1, line.length - 1)
      if (!comment || this.#indentOf(comment.startPosition.row) !== comment.startIndex) break
      first = comment.startPosition.row
    }
    return first
  }

  #tailFrom(end: number, row: number): string | undefined {
    const tail = this.#source.slice(end, this.#lineStart(row) + this.#line(row).length)
    const behind = tail.replace(/^\s*[,;]?\s*/, '')
    if (behind === '') return tail
    const at = end + tail.length - behind.length
    const comment = this.#commentAt(row, at - this.#lineStart(row))
    return comment?.startIndex === at && comment.endIndex >= at + behind.trimEnd().length ? tail : undefined
  }

  /** The whole comment that holds a place. */
  #commentAt(row: number, column: number): Node | undefined {
    let found: Node | undefined
    let node = this.#root.descendantForPosition({ row, column })
    for (; node; node = node.parent) if (isComment(node)) found = node
    return found
  }

  #lineStart(row: number): number {
    return this.#lineStarts[row] ?? this.#source.length
  }

  /** Without its line break. */
  #line(row: number): string {
    return this.#source.slice(this.#lineStart(row), this.#lineStart(row + 1)).replace(/\r?\n$/, '')
  }

  /** Offset of the first character of a row that is no white space. */
  #indentOf(row: number): number {
    const line = this.#line(row)
    return this.#lineStart(row) + line.length - line.trimStart().length
  }

  #rowOf(offset: number, from: number): number {
    let row = from
    while (this.#lineStart(row + 1) < offset) row++
    return row
  }
}

/** `const ( … )`: what it declares stands in lines of its own. */
function isGroup(node: Node): boolean {
  return node.children.some((child) => child?.type === '(')
}

function isComment({ type }: Node): boolean {
  return type.includes('comment')
}

function lineStartsOf(source: string): number[] {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

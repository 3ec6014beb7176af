import type { Node } from '@vscode/tree-sitter-wasm'
import type { LanguageSyntax } from './languages/syntax-data.js'
import { lineStarts } from './line-starts.js'

/** Lines of a declaration with everything that belongs to it: `export`, decorators, attributes; 1-based. */
export interface WholeDeclaration {
  firstLine: number
  lastLine: number
  /** First line of the comments right above; `firstLine` where there are none. */
  commentLine: number
  /**
   * Text behind it on its last line: at most a comma or semicolon and a comment. Absent where its lines contain other
   * code too.
   */
  tail?: string
  /** The semicolon in the tail is the declaration's own end. */
  semicolon?: true
  /** It is a member of a comma-separated list, such as an enum. */
  inList?: true
  /** It is the only statement of its block, in languages like Python. */
  alone?: true
}

/** What a line comment begins with: its kind. */
const LINE = /^(?:\/\/[/!]?|#|--)/
/** What compilers, linters and readers of the file are told. */
const DIRECTIVE = new RegExp([
  '^#.*\\bcoding[:=]', // PEP 263
  '^#\\s*(?:frozen_string_literal|typed|mypy|pylint|ruff|flake8):',
  '^//(?:go:build|\\s*\\+build)\\b',
  '^///\\s*<(?:reference|amd-module)\\b',
  '^/[/*]+\\s*(?:@ts-(?:no)?check|@flow|eslint-(?:disable(?!-)|env|enable))\\b',
].join('|'))
/** What the licence of a file has, if the file begins with it. */
const LICENCE = /\bCopyright\b|\bSPDX-|@licen[sc]e\b/

/** Looks at the code around declarations. A step up or aside in a tree costs time by the nodes there: ask for few. */
export class DeclarationReader {
  readonly #lineStarts: readonly number[]

  constructor(private readonly source: string, private readonly root: Node, private readonly syntax: LanguageSyntax) {
    this.#lineStarts = lineStarts(source)
  }

  /** @param definition the defining node */
  read(definition: Node): WholeDeclaration {
    const node = this.#wrapped(definition)
    const first = this.#withMarks(node)
    const start = first.startIndex
    const { endIndex, semicolon } = codeEnd(node, definition)
    // Excludes a final line break, as in C's `#define`.
    const end = start + this.source.slice(start, endIndex).trimEnd().length
    const firstRow = first.startPosition.row
    const lastRow = this.#rowOf(end, firstRow)
    const tail = this.#indentOf(firstRow) === start ? this.#tailFrom(end, lastRow) : undefined
    const { parent } = node
    const isAlone = parent?.type === 'block'
      && parent.namedChildren.filter((child) => child !== null && !isComment(child)).length === 1
    return {
      firstLine: firstRow + 1,
      lastLine: lastRow + 1,
      commentLine: this.#commentRow(firstRow) + 1,
      ...(tail !== undefined && { tail }),
      ...(semicolon && { semicolon }),
      ...(parent && this.syntax.lists?.includes(parent.type) && { inList: true as const }),
      ...(isAlone && { alone: true as const }),
    }
  }

  #wrapped(definition: Node): Node {
    let node = definition
    while (node.parent && this.syntax.wrappers?.includes(node.parent.type) && !isGroup(node.parent)) node = node.parent
    return node
  }

  #withMarks(node: Node): Node {
    let first = node
    const { marks } = this.syntax
    for (let before = marks && node.previousSibling; before; before = before.previousSibling) {
      if (marks?.includes(before.type)) first = before
      else if (!isComment(before)) break
    }
    return first
  }

  /**
   * First row of the comments that end right above a row, each on rows of its own, without comments on the file or
   * module.
   */
  #commentRow(row: number): number {
    let first = row
    // Start of the last run of line comments of one kind: a licence text is one run.
    let run = { kind: '', below: row }
    while (first > 0) {
      const line = this.#line(first - 1).trimEnd()
      if (line.trimStart() === '' || (first === 1 && line.startsWith('#!'))) break
      const comment = this.#commentAt(first - 1, line.length - 1)
      if (!comment || this.#indentOf(comment.startPosition.row) !== comment.startIndex) break
      const kind = LINE.exec(comment.text)?.[0]
      if (kind === undefined || kind !== run.kind) run = { kind: kind ?? '', below: first }
      // Rust's `//!` documents the enclosing item.
      const isInner = comment.children.some((child) => child?.type === 'inner_doc_comment_marker')
      if (isInner || DIRECTIVE.test(comment.text)) break
      if (LICENCE.test(comment.text) && this.#isAtTop(comment)) return run.below
      first = comment.startPosition.row
    }
    return first
  }

  /** Whether only comments precede it. */
  #isAtTop(comment: Node): boolean {
    for (const child of this.root.children) {
      if (!child || child.startIndex >= comment.startIndex) return true
      if (!isComment(child) && child.type !== 'hash_bang_line' && child.type !== 'php_tag') return false
    }
    return true
  }

  #tailFrom(end: number, row: number): string | undefined {
    const tail = this.source.slice(end, this.#lineStart(row) + this.#line(row).length)
    const behind = tail.replace(/^\s*[,;]?\s*/, '')
    if (behind === '') return tail
    const at = end + tail.length - behind.length
    const comment = this.#commentAt(row, at - this.#lineStart(row))
    return comment?.startIndex === at && comment.endIndex >= at + behind.trimEnd().length ? tail : undefined
  }

  /** The whole comment at a place. */
  #commentAt(row: number, column: number): Node | undefined {
    let comment: Node | undefined
    let node = this.root.descendantForPosition({ row, column })
    for (; node; node = node.parent) if (isComment(node)) comment = node
    return comment
  }

  #lineStart(row: number): number {
    return this.#lineStarts[row] ?? this.source.length
  }

  /** The line without its line break. */
  #line(row: number): string {
    return this.source.slice(this.#lineStart(row), this.#lineStart(row + 1)).replace(/\r?\n$/, '')
  }

  /** Offset of the first non-blank character of a row. */
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

/**
 * End of a declaration's code: before its own semicolon on the same line, and before comments that the grammar includes
 * in it, as JavaScript's does where there is no semicolon.
 */
function codeEnd(node: Node, definition: Node): { endIndex: number; semicolon?: true } {
  let semicolon = false
  let isAround = true
  let last = node
  for (let next: Node | undefined = node; next; next = last.id === next.id ? undefined : last) {
    const children: Node[] = next.children.filter((child) => child !== null)
    const code = children.findLast((child) => !isComment(child))
    if (!code || (!isAround && code.type !== '}' && isComment(children.at(-1)))) break
    const before = children[children.indexOf(code) - 1]
    const isEnd = isAround && code.type === ';' && before?.endPosition.row === code.startPosition.row
    if (isEnd) semicolon = true
    last = (isEnd && children.findLast((child) => child !== code && !isComment(child))) || code
    isAround &&= last.startIndex <= definition.startIndex && next.id !== definition.id
  }
  return { endIndex: last.endIndex, ...(semicolon && { semicolon }) }
}

/** Whether it is a group such as `const ( … )`, whose members have lines of their own. */
function isGroup(node: Node): boolean {
  return node.children.some((child) => child?.type === '(')
}

function isComment(node: Node | undefined): boolean {
  return node?.type.includes('comment') ?? false
}

import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import type { ParseClock } from './parse-time.js'

/** A wrongly indented line of Python; the grammar itself accepts any indentation. */
export interface IndentationProblem {
  /** 0-based. */
  row: number
  /** The block that is missing behind the line. */
  missing?: string
}

const TAB = 8

/** Finds blocks without a statement, and statements that begin in another column than the first of their block. */
export function wronglyIndented(tree: Tree, lines: readonly string[], clock: ParseClock): IndentationProblem[] {
  const problems: IndentationProblem[] = []
  const check = (node: Node, isModule: boolean): void => {
    const statements = node.namedChildren.filter((child) => child !== null)
      .filter(({ type }) => type !== 'comment' && type !== 'line_continuation')
    if (statements.length === 0 && !isModule) {
      // The missing node has no extent; the last token of its parent shows the place.
      problems.push({ row: node.previousSibling?.endPosition.row ?? node.startPosition.row, missing: 'indented block' })
    }
    let wanted = isModule ? 0 : undefined
    for (const { startPosition: { row, column } } of statements) {
      const before = (lines[row] ?? '').slice(0, column)
      // Behind other code, or in a continued line, any column is allowed.
      if (before.trim() !== '' || lines[row - 1]?.trimEnd().endsWith('\\') === true) continue
      const width = widthOf(before)
      wanted ??= width
      if (width !== wanted) problems.push({ row })
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
  for (const one of space) {
    if (one === '\f') width = 0
    else width += one === '\t' ? TAB - width % TAB : 1
  }
  return width
}

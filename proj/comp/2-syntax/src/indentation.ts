import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import type { ParseClock } from './parse-time.js'

/** A line of Python that is indented as no code is; its grammar takes them all. */
export interface IndentationProblem {
  /** From 0. */
  row: number
  /** It lacks the block that has to follow. */
  missing?: string
}

const TAB = 8

/** Blocks without a statement, and statements of a block that begin in another column than the first. */
export function wronglyIndented(tree: Tree, lines: readonly string[], clock: ParseClock): IndentationProblem[] {
  const found: IndentationProblem[] = []
  const check = (node: Node, isModule: boolean): void => {
    const statements = node.namedChildren.filter((child) => child !== null)
      .filter(({ type }) => type !== 'comment' && type !== 'line_continuation')
    if (statements.length === 0 && !isModule) {
      // It has no extent of its own: its owner's last token says where it should be.
      found.push({ row: node.previousSibling?.endPosition.row ?? node.startPosition.row, missing: 'indented block' })
    }
    let wanted = isModule ? 0 : undefined
    for (const { startPosition: { row, column } } of statements) {
      const before = (lines[row] ?? '').slice(0, column)
      // Behind other code, or in a line that goes on from the one above, it may begin anywhere.
      if (before.trim() !== '' || lines[row - 1]?.trimEnd().endsWith('\\') === true) continue
      const width = widthOf(before)
      wanted ??= width
      if (width !== wanted) found.push({ row })
    }
  }
  const visit = (node: Node): void => {
    clock.check()
    if (node.type === 'block' || node.type === 'module') check(node, node.type === 'module')
    for (const child of node.namedChildren) if (child) visit(child)
  }
  visit(tree.rootNode)
  return found
}

function widthOf(space: string): number {
  let width = 0
  for (const one of space) {
    if (one === '\f') width = 0
    else width += one === '\t' ? TAB - width % TAB : 1
  }
  return width
}

import type { Node, Tree, TreeCursor } from '@vscode/tree-sitter-wasm'
import type { Lines } from './captures.js'

const STRING = /string|heredoc_body|nowdoc/
/** Node types of adjacent strings or word lists, in which space between parts is insignificant. */
const PARTS = /^(?:concatenated_string|chained_string|string_array)$/

/**
 * Those of the given lines (1-based) that begin inside a string, so that their indentation is part of it. Excludes
 * strings that are statements, such as Python's docstrings, and Ruby's `<<~`.
 */
export function stringLines(source: string, tree: Tree, [first, last]: Lines): Set<number> {
  const lines = new Set<number>()
  const cursor = tree.walk()
  try {
    for (let more = true; more;) {
      const isString = take(source, cursor, lines)
      const mayHold = !isString && cursor.endPosition.row >= first - 1 && cursor.startPosition.row < last
        && cursor.endPosition.row > cursor.startPosition.row
      more = (mayHold && cursor.gotoFirstChild()) || next(cursor)
    }
  } finally {
    cursor.delete()
  }
  return new Set([...lines].filter((line) => line >= first && line <= last))
}

function take(source: string, cursor: TreeCursor, lines: Set<number>): boolean {
  const { nodeType, startPosition, endPosition } = cursor
  if (!STRING.test(nodeType) || PARTS.test(nodeType)) return false
  if (startPosition.row === endPosition.row) return true
  const { currentNode: node } = cursor
  if (node.parent?.type === 'expression_statement' || isTrimmed(source, node)) return true
  for (let row = startPosition.row + 1; row <= endPosition.row; row++) lines.add(row + 1)
  return true
}

/** Whether a heredoc is Ruby's `<<~`, which begins on the line before its body. */
function isTrimmed(source: string, node: Node): boolean {
  if (node.type !== 'heredoc_body') return false
  const line = source.slice(source.lastIndexOf('\n', node.startIndex - 1) + 1, node.startIndex)
  const name = node.lastChild?.text.trim() ?? ''
  return ['', '"', "'", '`'].some((quote) => line.includes(`<<~${quote}${name}`))
}

function next(cursor: TreeCursor): boolean {
  while (!cursor.gotoNextSibling()) if (!cursor.gotoParent()) return false
  return true
}

import type { SyntaxNode } from '../../../../2-syntax/src/index.js'

export function fieldOf(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === field)
}

/** The child in a field, or at an index: `'0'`, `'-1'`. */
export function partOf(node: SyntaxNode, part: string): SyntaxNode | undefined {
  return /^-?\d+$/.test(part) ? node.children.at(Number(part)) : fieldOf(node, part)
}

/** The words of a name with dots, whatever stands between them. */
export function wordsOf(node: SyntaxNode): string[] {
  return node.children.length === 0 ? [node.text ?? ''] : node.children.flatMap(wordsOf)
}

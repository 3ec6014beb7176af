import type { SyntaxNode } from '../../../../2-syntax/src/index.js'

export { fieldOf } from '../scoped/scoped-nodes.js'

export function textOf(node: SyntaxNode): string {
  return node.text ?? node.children.map(textOf).join('.')
}

/** `a.b` of an expression of names and dots. */
export function dotted(node: SyntaxNode): string | undefined {
  if (node.type === 'identifier') return node.text
  if (node.type !== 'attribute') return undefined
  const [object, attribute] = node.children
  const base = object && dotted(object)
  return base === undefined ? undefined : `${base}.${attribute?.text ?? ''}`
}

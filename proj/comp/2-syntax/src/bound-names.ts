import type { Node } from '@vscode/tree-sitter-wasm'
import type { Bindings } from './languages/syntax-data.js'
import type { ParseClock } from './parse-time.js'

export interface BoundName {
  node: Node
  callable: boolean
  /** Containers written before the name, as in C++'s `a::b::name`. */
  container: string[]
}

/**
 * The names in a pattern or declarator, in text order; any nesting depth.
 *
 * @throws HermesError `TIMEOUT`
 */
export function boundNames(pattern: Node, bindings: Bindings | undefined, clock: ParseClock): BoundName[] {
  const names: BoundName[] = []
  if (!bindings) return [{ node: pattern, callable: false, container: [] }]
  const open: BoundName[] = [{ node: pattern, callable: false, container: [] }]
  for (let next = open.pop(); next; next = open.pop()) {
    clock.check()
    const { node, callable, container } = next
    if (bindings.leaves.includes(node.type)) {
      if (bindings.pattern?.test(node.text) ?? true) names.push(next)
      continue
    }
    const field = bindings.through[node.type]
    if (field === undefined) continue
    const inside = {
      callable: isTransparent(node) ? callable : node.type === bindings.callable,
      container: bindings.qualified?.includes(node.type) ? [...container, ...scopeOf(node)] : container,
    }
    for (const child of childrenIn(node, field).reverse()) open.push({ node: child, ...inside })
  }
  return names
}

/** Wrappers that do not make the declared name a pointer, as in `int (f)(void)` and `(A::f)`. */
function isTransparent({ type }: Node): boolean {
  return type === 'parenthesized_declarator' || type === 'qualified_identifier' || type === 'template_function'
}

function childrenIn(node: Node, field: string): Node[] {
  if (field !== '' && !field.startsWith('-')) {
    const child = node.childForFieldName(field)
    return child ? [child] : []
  }
  const except = field === '' ? null : node.childForFieldName(field.slice(1))
  return node.namedChildren.filter((child) => child !== null && child.id !== except?.id) as Node[]
}

function scopeOf(node: Node): string[] {
  const scope = node.childForFieldName('scope')?.text.replace(/<.*$/s, '') ?? ''
  return scope.split('::').filter((part) => part !== '')
}

import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import type { Bindings } from './languages/syntax-data.js'
import type { Grammar } from './load-grammar.js'
import type { ParseClock } from './parse-time.js'

export const KINDS = [
  'class', 'method', 'function', 'variable', 'assigned', 'member', 'parameter', 'scope', 'block',
] as const
export type CaptureKind = (typeof KINDS)[number]

/** A name and the node that defines it, as captured by the query of a language. */
export interface Capture {
  kind: CaptureKind
  node: Node
  name: Node
  /** The class that it is defined for, if that is not around it. */
  container: string[]
}

/** First and last line, 1-based, inclusive. */
export type Lines = readonly [first: number, last: number]

/**
 * Captures in text order, outer ones first; each name once.
 *
 * @param lines only definitions that overlap these; default all
 * @throws HermesError `TIMEOUT`
 */
export function captureDefinitions(
  tree: Tree, grammar: Grammar, clock: ParseClock, lines?: Lines,
): Capture[] {
  const byName = new Map<number, { pattern: number; capture: Capture }>()
  const blocks: Capture[] = []
  const range = lines && { startPosition: { row: lines[0] - 1, column: 0 }, endPosition: { row: lines[1], column: 0 } }
  for (const { captures, patternIndex } of grammar.matches('definitions', tree, clock, range)) {
    clock.check()
    const nodes = new Map(captures.map(({ name, node }) => [name, node]))
    const kind = KINDS.find((candidate) => nodes.has(candidate))
    const node = kind && nodes.get(kind)
    if (!kind || !node) continue
    if (kind === 'block') {
      blocks.push({ kind, node, name: node, container: [] })
      continue
    }
    for (const bound of namesOf(nodes, grammar.syntax.bindings, clock)) {
      const { node: name, callable } = bound
      const earlier = byName.get(name.startIndex)
      if (name.isMissing || name.text === grammar.syntax.blank || (earlier && earlier.pattern <= patternIndex)) continue
      const isFunction = callable && kind !== 'class' && kind !== 'parameter'
      const capture: Capture = { kind: isFunction ? 'function' : kind, node, name, container: bound.container }
      byName.set(name.startIndex, { pattern: patternIndex, capture })
    }
  }
  return [...blocks, ...[...byName.values()].map(({ capture }) => capture)].sort(byPlace)
}

function namesOf(
  nodes: ReadonlyMap<string, Node>, bindings: Grammar['syntax']['bindings'], clock: ParseClock,
): BoundName[] {
  const name = nodes.get('name')
  const container = nodes.get('container')
  if (name) return [{ node: name, callable: false, container: container ? [container.text] : [] }]
  const binding = nodes.get('binding')
  return binding ? boundNames(binding, bindings, clock) : []
}

function byPlace(a: Capture, b: Capture): number {
  return a.node.startIndex - b.node.startIndex || b.node.endIndex - a.node.endIndex
    || a.name.startIndex - b.name.startIndex
}

interface BoundName {
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
function boundNames(pattern: Node, bindings: Bindings | undefined, clock: ParseClock): BoundName[] {
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

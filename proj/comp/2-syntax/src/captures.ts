import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import { type BoundName, boundNames } from './bound-names.js'
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

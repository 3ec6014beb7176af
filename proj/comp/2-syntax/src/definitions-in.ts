import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import { type Capture, captureDefinitions, type Lines } from './captures.js'
import type { DefinitionKind, VisibleDefinition } from './definition.js'
import type { Grammar } from './load-grammar.js'
import type { LanguageSyntax } from './languages/syntax-data.js'
import { nameIn } from './node-name.js'
import type { ParseClock } from './parse-time.js'

/** Most containers to keep in a dotted name. */
const MOST_CONTAINERS = 20

/**
 * The definitions of a tree, parameters included, each with its defining node.
 *
 * @param lines only definitions that overlap these; those around them may then be missing. Default: all
 * @throws HermesError `TIMEOUT`
 */
export function definitionsIn(
  tree: Tree, grammar: Grammar, clock: ParseClock, lines?: Lines,
): { definition: VisibleDefinition; node: Node }[] {
  const nesting = new Nesting(grammar.syntax, clock)
  return captureDefinitions(tree, grammar, clock, lines).flatMap((capture) => {
    const definition = nesting.next(capture)
    return definition ? { definition, node: capture.node } : []
  })
}

/** A definition or scope that may contain the next definitions. */
interface Level {
  start: number
  end: number
  kind: DefinitionKind | 'scope'
  assigned: boolean
  names: readonly string[]
  definition: VisibleDefinition | undefined
}

/** Finds the container of each definition, in text order. */
class Nesting {
  readonly #levels: Level[] = []
  /** Open blocks, which are scopes of assignments. */
  readonly #blocks: Node[] = []
  /** Names already assigned, by container and block. */
  readonly #assigned = new Set<string>()

  constructor(private readonly syntax: LanguageSyntax, private readonly clock: ParseClock) {}

  /** @returns `undefined` for what is no new definition */
  next({ kind, node, name, container }: Capture): VisibleDefinition | undefined {
    this.clock.check()
    while (this.#blocks.length > 0 && !isWithin(node, this.#blocks.at(-1)!)) this.#blocks.pop()
    if (kind === 'block') {
      this.#blocks.push(node)
      return undefined
    }
    while (this.#levels.length > 0 && !contains(this.#levels.at(-1)!, node)) this.#levels.pop()
    const outer = this.#around(kind)
    const { text, line: nameLine, column: nameColumn, container: before } = nameIn(name, this.syntax)
    const around = [...outer?.names ?? [], ...container, ...before]
    const start = node.startIndex
    const end = node.endIndex
    const names = [...around, text].slice(-MOST_CONTAINERS)
    if (kind === 'scope') {
      this.#levels.push({ start, end, kind, assigned: false, names, definition: outer?.definition })
      return undefined
    }
    if (kind === 'assigned' || kind === 'member') {
      const key = JSON.stringify([outer?.start, this.#blocks.at(-1)?.startIndex, text])
      if (this.#assigned.has(key)) return undefined
      this.#assigned.add(key)
    }
    const inClass = container.length > 0 || (outer !== undefined && isClass(outer))
    const definition: VisibleDefinition = {
      name: text,
      kind: this.#kindOf(kind, inClass),
      ...extentOf(node),
      nameLine, nameColumn,
      ...(around.length > 0 && { container: around.join('.') }),
      parameter: kind === 'parameter',
      ...nestingOf(outer?.definition, kind === 'parameter'),
    }
    if (kind !== 'parameter') {
      this.#levels.push({ start, end, kind: definition.kind, assigned: kind === 'assigned', names, definition })
    }
    return definition
  }

  /** The container of a definition; for `a = b = 1` both have the same. */
  #around(kind: Capture['kind']): Level | undefined {
    if (kind === 'member') return this.#levels.findLast(isClass)
    return kind === 'assigned' ? this.#levels.findLast(({ assigned }) => !assigned) : this.#levels.at(-1)
  }

  #kindOf(kind: Exclude<Capture['kind'], 'scope' | 'block'>, inClass: boolean): DefinitionKind {
    if (kind === 'assigned' || kind === 'member' || kind === 'parameter') return 'variable'
    return kind === 'function' && inClass && this.syntax.functionsInClassesAreMethods ? 'method' : kind
  }
}

function isWithin(node: Node, block: Node): boolean {
  return node.startIndex >= block.startIndex && node.endIndex <= block.endIndex
}

function isClass({ kind }: Level): boolean {
  return kind === 'class' || kind === 'scope'
}

/**
 * Whether a level contains a node. Of two with the same extent, as in `namespace a::b`, the first contains the second
 * if it can hold definitions.
 */
function contains(level: Level, node: Node): boolean {
  if (node.startIndex < level.start || node.endIndex > level.end) return false
  return isClass(level) || node.startIndex > level.start || node.endIndex < level.end
}

/** What a definition has of the one around it. */
export function nestingOf(
  within: VisibleDefinition | undefined, parameter: boolean,
): Pick<VisibleDefinition, 'within' | 'depth' | 'shared'> {
  if (!within) return { depth: 0, shared: !parameter }
  return { within, depth: within.depth + 1, shared: !parameter && within.kind === 'class' && within.shared }
}

/** The extent without a final line break, as in C's `#define`. */
function extentOf(node: Node) {
  const { startPosition: start, endPosition: end } = node
  const begin = { startLine: start.row + 1, startColumn: start.column + 1 }
  const extent = { ...begin, endLine: end.row + 1, endColumn: end.column + 1 }
  if (end.column > 0 || end.row === start.row) return extent
  const lines = node.text.trimEnd().split('\n')
  const before = lines.length === 1 ? start.column : 0
  return { ...extent, endLine: start.row + lines.length, endColumn: before + (lines.at(-1)?.length ?? 0) + 1 }
}

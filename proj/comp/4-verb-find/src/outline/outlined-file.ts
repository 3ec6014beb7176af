import { escapeControls } from '../../../0-text/src/index.js'
import type { SignedDefinition, Signatures, VisibleDefinition } from '../../../2-syntax/src/index.js'

/** A line of an outline: a definition, or the name of a class whose members stand apart from it. */
export interface OutlineNode {
  line: string
  /** The one around it, whose line has to be shown too. */
  parent?: OutlineNode
  /** Several of one declaration, as in `X, Y int`; none where the name only groups. */
  definitions: VisibleDefinition[]
  /** Position among the lines of its file. */
  index: number
}

export interface OutlinedFile {
  shown: string
  nodes: OutlineNode[]
  /** The first line that is no code of the language. */
  errorLine?: number
}

/** @param depth levels of nesting that are kept, from 1 */
export function outlinedFile(
  shown: string, { definitions, errorLine }: Signatures, depth: number,
): OutlinedFile {
  return {
    shown, nodes: nodesOf(definitions.filter((one) => levelOf(one.definition) < depth)),
    ...(errorLine !== undefined && { errorLine }),
  }
}

/** Levels of nesting, members of a class that stand apart from it included. */
export function levelOf({ depth, container, within }: VisibleDefinition): number {
  return container !== undefined && !within ? depth + 1 : depth
}

/** Longest list of attributes, in characters. */
const MOST_LISTED = 120

/**
 * Attributes that methods assign (`self.port = port`), as one node of their class: one line each would hide the
 * methods.
 */
class Attributes {
  readonly #nodes = new Map<VisibleDefinition, OutlineNode>()
  /** The method of a class that was met last. */
  readonly #methods = new Map<VisibleDefinition, VisibleDefinition>()

  /** @returns the node to add, `known` where it is among the attributes of one, `undefined` for what is none */
  of(definition: VisibleDefinition, index: number, parent: OutlineNode | undefined): OutlineNode | 'known' | undefined {
    const { within, kind } = definition
    if (!within) return undefined
    const method = this.#methods.get(within)
    if (kind !== 'variable' || !method || !isInside(definition, method)) {
      if (kind === 'method') this.#methods.set(within, definition)
      return undefined
    }
    const known = this.#nodes.get(within)
    if (known) {
      if (known.line.length < MOST_LISTED) known.line += `, ${escapeControls(definition.name)}`
      else if (!known.line.endsWith('…')) known.line += ', …'
      known.definitions.push(definition)
      return 'known'
    }
    const indent = '  '.repeat(Math.min(levelOf(definition), MOST_INDENTS))
    const node = {
      line: `  ${definition.nameLine} ${indent}attributes: ${escapeControls(definition.name)}`,
      ...(parent && { parent }), definitions: [definition], index,
    }
    this.#nodes.set(within, node)
    return node
  }
}

function isInside({ nameLine, nameColumn }: VisibleDefinition, method: VisibleDefinition): boolean {
  return nameLine < method.endLine || (nameLine === method.endLine && nameColumn < method.endColumn)
}

function nodesOf(definitions: readonly SignedDefinition[]): OutlineNode[] {
  const nodes: OutlineNode[] = []
  const byDefinition = new Map<VisibleDefinition, OutlineNode>()
  const attributes = new Attributes()
  let group: { name: string; node: OutlineNode } | undefined
  for (const { definition, signature } of definitions) {
    const { container, within, nameLine, endLine } = definition
    const label = escapeControls(signature)
    const isApart = container !== undefined && !within && !holdsName(label, container)
    if (!within && (!isApart || group?.name !== container)) group = undefined
    if (isApart && !group) {
      const node = { line: `  in ${escapeControls(container)}:`, index: nodes.length, definitions: [] }
      group = { name: container, node }
      nodes.push(node)
    }
    const parent = (within && byDefinition.get(within)) ?? (isApart ? group?.node : undefined)
    const attribute = attributes.of(definition, nodes.length, parent)
    if (attribute) {
      if (attribute !== 'known') nodes.push(attribute)
      continue
    }
    const before = nodes.at(-1)
    if (before && isSame(definition, label, before)) {
      before.definitions.push(definition)
      byDefinition.set(definition, before)
      continue
    }
    const lines = endLine > nameLine ? `${nameLine}-${endLine}` : String(nameLine)
    const node: OutlineNode = {
      line: `  ${lines} ${'  '.repeat(Math.min(levelOf(definition), MOST_INDENTS))}${label}`,
      ...(parent && { parent }), definitions: [definition], index: nodes.length,
    }
    nodes.push(node)
    byDefinition.set(definition, node)
  }
  return nodes
}

function isSame({ nameLine, kind }: VisibleDefinition, label: string, { line, definitions }: OutlineNode): boolean {
  const [other] = definitions
  return other?.nameLine === nameLine && other.kind === kind && line.endsWith(` ${label}`)
}

/** Deeper ones are not indented further: what they are in stands above them. */
const MOST_INDENTS = 10

/** Go and C++ name the class in the signature itself. */
function holdsName(signature: string, container: string): boolean {
  return signature.includes(container.slice(container.lastIndexOf('.') + 1))
}

import { escapeControls } from '../../../0-text/src/index.js'
import type { Signatures, SignedDefinition, VisibleDefinition } from '../../../2-syntax/src/index.js'
import { indentOf, levelOf, type OutlineNode } from './outline-node.js'

/** Longest list of attributes, in characters. */
const MOST_LISTED = 120

/** All lines that an outline of a file can have; how many are shown is decided by `OutlineFit`. */
export interface OutlinedFile {
  /** Its path, as results show it. */
  shown: string
  nodes: OutlineNode[]
  /** The first line with a syntax error. */
  errorLine?: number
}

/**
 * @param shown its path, as results show it
 * @param depth levels of nesting that are kept, from 1
 */
export function outlinedFile(
  shown: string, { definitions, errorLine }: Signatures, depth: number,
): OutlinedFile {
  return {
    shown, nodes: nodesOf(definitions.filter(({ definition }) => levelOf(definition) < depth)),
    ...(errorLine !== undefined && { errorLine }),
  }
}

/** A node each, but for those of one line, and for attributes that methods assign. */
function nodesOf(definitions: readonly SignedDefinition[]): OutlineNode[] {
  const nodes: OutlineNode[] = []
  const byDefinition = new Map<VisibleDefinition, OutlineNode>()
  const attributes = new AttributeNodes()
  /** The class that is named above members which stand apart from it, as long as they follow one another. */
  let group: { name: string; node: OutlineNode } | undefined
  for (const { definition, signature } of definitions) {
    const { container, within, nameLine, endLine } = definition
    const label = escapeControls(signature)
    // Go and C++ name the class in the signature itself.
    const isApart = container !== undefined && !within
      && !label.includes(container.slice(container.lastIndexOf('.') + 1))
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
    if (before && isOfSameLine(definition, label, before)) {
      before.definitions.push(definition)
      byDefinition.set(definition, before)
      continue
    }
    const lines = endLine > nameLine ? `${nameLine}-${endLine}` : String(nameLine)
    const node: OutlineNode = {
      line: `  ${lines} ${indentOf(definition)}${label}`,
      ...(parent && { parent }), definitions: [definition], index: nodes.length,
    }
    nodes.push(node)
    byDefinition.set(definition, node)
  }
  return nodes
}

/** One declaration of several names has a definition for each, with the same signature. */
function isOfSameLine(
  { nameLine, kind }: VisibleDefinition, label: string, { line, definitions: [other] }: OutlineNode,
): boolean {
  return other?.nameLine === nameLine && other.kind === kind && line.endsWith(` ${label}`)
}

/**
 * Attributes that methods assign (`self.port = port`), as one node of their class: one line each would hide the
 * methods. Takes the definitions of a file in their order.
 */
class AttributeNodes {
  readonly #nodes = new Map<VisibleDefinition, OutlineNode>()
  /** The method of a class that was met last. */
  readonly #methods = new Map<VisibleDefinition, VisibleDefinition>()

  /**
   * @returns the node to add; `known` where the definition was put into one that was returned before; `undefined` where
   *   it is no attribute
   */
  of(definition: VisibleDefinition, index: number, parent: OutlineNode | undefined): OutlineNode | 'known' | undefined {
    const { within: ofClass, kind, name } = definition
    if (!ofClass) return undefined
    const method = this.#methods.get(ofClass)
    if (kind !== 'variable' || !method || !isInside(definition, method)) {
      if (kind === 'method') this.#methods.set(ofClass, definition)
      return undefined
    }
    const known = this.#nodes.get(ofClass)
    if (known) {
      if (known.line.length < MOST_LISTED) known.line += `, ${escapeControls(name)}`
      else if (!known.line.endsWith('…')) known.line += ', …'
      known.definitions.push(definition)
      return 'known'
    }
    const node = {
      line: `  ${definition.nameLine} ${indentOf(definition)}attributes: ${escapeControls(name)}`,
      ...(parent && { parent }), definitions: [definition], index,
    }
    this.#nodes.set(ofClass, node)
    return node
  }
}

function isInside({ nameLine, nameColumn }: VisibleDefinition, method: VisibleDefinition): boolean {
  return nameLine < method.endLine || (nameLine === method.endLine && nameColumn < method.endColumn)
}

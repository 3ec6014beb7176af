import { escapeControls } from '../../../0-text/src/index.js'
import type { VisibleDefinition } from '../../../2-syntax/src/index.js'
import { indentOf, type OutlineNode } from './outline-node.js'

/** Longest list of attributes, in characters. */
const MOST_LISTED = 120

/**
 * Attributes that methods assign (`self.port = port`), as one node of their class: one line each would hide the
 * methods. Takes the definitions of a file in their order.
 */
export class AttributeNodes {
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

import type { Node } from '@vscode/tree-sitter-wasm'
import type { LanguageSyntax } from './languages/syntax-data.js'

/** The name that a node writes. */
export interface NodeName {
  text: string
  /** Where it begins in the node, in UTF-16 units. */
  offset: number
  /** Where it begins in the text; 1-based. */
  line: number
  column: number
  /** Names before it in the node, outermost first. */
  container: string[]
}

/** Without what marks a name, as the colon of a symbol, and without the names before its last dot. */
export function nameIn(node: Node, { dotted, nameMarks }: LanguageSyntax): NodeName {
  const written = node.text
  const mark = nameMarks?.exec(written)
  const begin = mark?.index === 0 ? mark[0].length : 0
  const bare = written.slice(begin, mark && mark.index > 0 ? mark.index : undefined)
  const dot = dotted?.includes(node.type) ? bare.lastIndexOf('.') + 1 : 0
  const { row, column } = node.startPosition
  return {
    text: bare.slice(dot), offset: begin + dot, line: row + 1, column: column + 1 + begin + dot,
    container: dot > 0 ? bare.slice(0, dot - 1).split('.') : [],
  }
}

/** A query for identifiers. */
export function identifierQuery({ identifiers, identifiersIn = {} }: LanguageSyntax): string {
  const within = Object.entries(identifiersIn).flatMap(([type, parents]) => (
    parents.map((parent) => `(${parent} (${type}) @name)`)
  ))
  return [`[${identifiers.map((type) => `(${type})`).join(' ')}] @name`, ...within].join('\n')
}

/** Whether a node is one of those that the query finds. */
export function isIdentifier(node: Node, { identifiers, identifiersIn }: LanguageSyntax): boolean {
  if (node.isMissing) return false
  return identifiers.includes(node.type) || (identifiersIn?.[node.type]?.includes(node.parent?.type ?? '') ?? false)
}

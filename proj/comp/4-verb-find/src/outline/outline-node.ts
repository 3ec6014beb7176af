import type { VisibleDefinition } from '../../../2-syntax/src/index.js'

/** A line of an outline: a definition, those of one line, or the name of a class whose members stand apart from it. */
export interface OutlineNode {
  /** As it is shown, its place in the file in front. */
  line: string
  /** The one around it, whose line has to be shown too. */
  parent?: OutlineNode
  /** Several of one declaration, as in `X, Y int`; none where the name only groups. */
  definitions: VisibleDefinition[]
  /** Position among the lines of its file. */
  index: number
}

/** Deeper ones are not indented further: what they are in stands above them. */
const MOST_INDENTS = 10

/** Levels of nesting, members of a class that stand apart from it included. */
export function levelOf({ depth, container, within }: VisibleDefinition): number {
  return container !== undefined && !within ? depth + 1 : depth
}

export function indentOf(definition: VisibleDefinition): string {
  return '  '.repeat(Math.min(levelOf(definition), MOST_INDENTS))
}

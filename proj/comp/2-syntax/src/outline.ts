import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import type { Lines } from './captures.js'
import type { ParsedId } from './language-id.js'
import type { VisibleDefinition } from './definition.js'
import { definitionsIn } from './definitions-in.js'
import type { ParseTime } from './parse-time.js'
import { stringLines } from './string-lines.js'
import { DeclarationReader, type WholeDeclaration } from './whole-declaration.js'
import { withoutBom, withTree } from './with-tree.js'

export interface Outline {
  /** Definitions in text order, without parameters; with `lines`, at least those within them. */
  definitions: VisibleDefinition[]
  /** The whole declarations of the requested definitions. */
  wholes: Map<VisibleDefinition, WholeDeclaration>
  /** First line (1-based) with a syntax error; absent where there is none. */
  errorLine?: number
  /** Those of the given lines that begin inside a string with significant white space. */
  stringLines: ReadonlySet<number>
}

export interface OutlineOptions {
  /**
   * Selects the definitions whose whole declarations are needed; each costs time proportional to the text. Default:
   * none.
   */
  wholes?: (definitions: readonly VisibleDefinition[]) => readonly VisibleDefinition[]
  /** Where to look for definitions and strings. Default: definitions everywhere. */
  lines?: Lines
}

/**
 * What an edit by name needs to know about a source text.
 *
 * @throws HermesError as `parseDefinitions`
 */
export async function outline(
  language: ParsedId, text: string, options: OutlineOptions = {}, time?: ParseTime,
): Promise<Outline> {
  const source = withoutBom(text)
  return withTree(language, source, (tree, grammar, clock) => {
    const named = definitionsIn(tree, grammar, clock, options.lines).filter(({ definition }) => !definition.parameter)
    const nodes = new Map(named.map(({ definition, node }) => [definition, node]))
    const definitions = [...nodes.keys()]
    const wanted = options.wholes?.(definitions) ?? []
    const reader = wanted.length > 0 ? new DeclarationReader(source, tree.rootNode, grammar.syntax) : undefined
    const wholes = new Map<VisibleDefinition, WholeDeclaration>()
    for (const definition of wanted) {
      clock.check()
      const node = nodes.get(definition)
      if (node && reader) wholes.set(definition, reader.read(node))
    }
    const errorLine = firstError(tree)
    return {
      definitions,
      wholes,
      ...(errorLine !== undefined && { errorLine }),
      stringLines: options.lines ? stringLines(source, tree, options.lines) : new Set(),
    }
  }, time)
}

/** First line (1-based) with a syntax error. */
export function firstError(tree: Tree): number | undefined {
  let node: Node | undefined = tree.rootNode
  if (!node.hasError) return undefined
  while (node && !node.isError && !node.isMissing) {
    const inside: Node | null | undefined = node.children.find((child) => child?.hasError || child?.isMissing)
    if (!inside) break
    node = inside
  }
  return node.startPosition.row + 1
}

import type { Node } from '@vscode/tree-sitter-wasm'
import type { IdentifierUse } from './definition.js'
import type { LanguageId } from './language-id.js'
import type { LanguageSyntax } from './languages/syntax-data.js'
import { isIdentifier, nameIn } from './node-name.js'
import { parseFacts } from './parse-facts.js'
import type { ParseTime } from './parse-time.js'
import { wordAt, wordsOnLine } from './patterns/by-pattern.js'
import { withTree } from './with-tree.js'
import { readAs } from './without-grammar.js'

const BEFORE = /([\p{L}\p{N}_$@]*)\)?\s*(?:<[^<>]*>)?(?:\?\.|\?->|->|::|\.)\s*$/u
const MOST_BEFORE = 200

/**
 * The identifier at a place, or ending right before it.
 *
 * @throws HermesError as `parseDefinitions`
 */
export async function identifierAt(
  language: LanguageId, text: string, line: number, column: number, time?: ParseTime,
): Promise<IdentifierUse | undefined> {
  return readAs(language, text, {
    parsed: (parsed, source) => withTree(parsed, source, (tree, { syntax }) => {
      for (const at of [column - 1, column - 2]) {
        if (at < 0) continue
        const place = { row: line - 1, column: at }
        const node = identifierIn(tree.rootNode.descendantForPosition(place, { ...place, column: at + 1 }), syntax)
        if (node) return useOf(node, source, syntax)
      }
      return undefined
    }, time),
    byPattern: (pattern, source) => wordAt(pattern, source, line, column),
    notebook: async (notebook) => {
      const place = notebook.inCode({ line, column })
      const use = place && await identifierAt(notebook.language, notebook.code, place.line, place.column, time)
      return use && { ...use, ...notebook.inFile(use) }
    },
    none: undefined,
  }, time)
}

/** The identifiers of a line with their columns, in order. */
export async function identifiersOnLine(
  language: LanguageId, text: string, line: number,
): Promise<{ name: string; column: number }[]> {
  return readAs<{ name: string; column: number }[]>(language, text, {
    parsed: (parsed, source) => {
      const words = source.split('\n')[line - 1]?.matchAll(/[\p{L}_$@][\p{L}\p{N}_$@]*/gu) ?? []
      return withTree(parsed, source, (tree, { syntax }, clock) => [...words].flatMap(({ index, 0: word }) => {
        clock.check()
        const last = { row: line - 1, column: index + word.length - 1 }
        const end = { ...last, column: last.column + 1 }
        const node = identifierIn(tree.rootNode.descendantForPosition(last, end), syntax)
        if (!node) return []
        const { text: name, column } = nameIn(node, syntax)
        return [{ name, column }]
      }))
    },
    byPattern: (pattern, source) => wordsOnLine(pattern, source, line),
    notebook: async (notebook) => {
      const { occurrences } = await parseFacts(notebook.language, notebook.code)
      return occurrences.map((each) => ({ name: each.name, ...notebook.inFile(each) }))
        .filter((each) => each.line === line).map(({ name, column }) => ({ name, column }))
    },
    none: [],
  })
}

/** The identifier in a node; PHP's variables are a `$` and a name. */
function identifierIn(node: Node | null, syntax: LanguageSyntax): Node | undefined {
  const inside = node?.type === '$' ? node.parent?.namedChild(0) : node
  return inside && isIdentifier(inside, syntax) ? inside : undefined
}

function useOf(node: Node, source: string, syntax: LanguageSyntax): IdentifierUse {
  const { text: name, offset, line, column } = nameIn(node, syntax)
  const start = node.startIndex + offset
  const [matched, qualifier] = BEFORE.exec(source.slice(Math.max(0, start - MOST_BEFORE), start)) ?? []
  return { name, line, column, ...(matched !== undefined && { qualifier: qualifier?.replace(/^\$/, '') ?? '' }) }
}

import type { Tree } from '@vscode/tree-sitter-wasm'
import { HermesError } from '../../0-contracts/src/index.js'
import type { GrammarId } from './language-id.js'
import { loadGrammar } from './load-grammar.js'
import { ParseTime } from './parse-time.js'
import { bracketDepth, DEEP, MOST_SOURCE_CHARS, parseWithin, withoutBom } from './with-tree.js'

/** A node of a syntax tree, named or with a field's name, as operators are. */
export interface SyntaxNode {
  /** As the grammar calls it. */
  type: string
  /** What it is to its parent, as the grammar calls it. */
  field?: string
  /** Of a node without others in it. */
  text?: string
  /** From 1; of a node that is one token, as the column, else 0. */
  line: number
  /** From 1, in UTF-16 units. */
  column: number
  children: SyntaxNode[]
}

/** `undefined` for texts that are too long, too deeply nested or too slow to parse. */
export type SyntaxParser = (text: string) => SyntaxNode | undefined

/**
 * Parses texts of a language into plain trees, for whoever follows names from file to file and so cannot wait.
 *
 * @throws HermesError `NOT_INSTALLED`
 */
export async function syntaxParser(language: GrammarId, time = new ParseTime()): Promise<SyntaxParser> {
  const grammar = await loadGrammar(language)
  return (text) => {
    const source = withoutBom(text)
    if (source.length > MOST_SOURCE_CHARS || bracketDepth(source) > DEEP) return undefined
    const clock = time.start(source)
    try {
      const tree = parseWithin(grammar, source, clock)
      const root = plainTree(tree, source)
      tree.delete()
      return root
    } catch (error) {
      if (error instanceof HermesError && error.code === 'TIMEOUT') return undefined
      throw error
    } finally {
      clock.done()
    }
  }
}

/** By a cursor, so that depth does not matter; each question to it takes time, so no more are asked than needed. */
function plainTree(tree: Tree, source: string): SyntaxNode {
  const cursor = tree.walk()
  const root = newNode(cursor.nodeType, null)
  const open = [{ node: root, start: 0, end: 0 }]
  const close = (): void => {
    const closed = open.pop()
    if (closed?.node.children.length === 0) closed.node.text = source.slice(closed.start, closed.end)
  }
  let isDown = cursor.gotoFirstChild()
  while (isDown) {
    const field = cursor.currentFieldName
    if (field !== null || cursor.nodeIsNamed) {
      const node = newNode(cursor.nodeType, field)
      open.at(-1)!.node.children.push(node)
      open.push({ node, start: cursor.startIndex, end: cursor.endIndex })
      const { row, column } = cursor.startPosition
      if (cursor.gotoFirstChild()) continue
      node.line = row + 1
      node.column = column + 1
      close()
    }
    while (!cursor.gotoNextSibling()) {
      isDown = open.length > 1 && cursor.gotoParent()
      if (!isDown) break
      close()
    }
  }
  cursor.delete()
  return root
}

function newNode(type: string, field: string | null): SyntaxNode {
  return field === null ? { type, line: 0, column: 0, children: [] } : { type, field, line: 0, column: 0, children: [] }
}

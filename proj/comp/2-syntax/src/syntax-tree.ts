import type { Tree } from '@vscode/tree-sitter-wasm'
import { HermesError } from '../../0-contracts/src/index.js'
import type { GrammarId } from './language-id.js'
import { loadGrammar } from './load-grammar.js'
import { ParseTime } from './parse-time.js'
import { bracketDepth, DEEP, MOST_SOURCE_CHARS, parseWithin, withoutBom } from './with-tree.js'

/** A node of a syntax tree that is named, or has a field name, as operators have. */
export interface SyntaxNode {
  /** Type in the grammar. */
  type: string
  /** Field name in its parent. */
  field?: string
  /** Source text, only of leaf nodes. */
  text?: string
  /** 1-based, like the column; both only for single tokens, else 0. */
  line: number
  /** 1-based, in UTF-16 units. */
  column: number
  children: SyntaxNode[]
}

/** Returns `undefined` for texts that are too long, nested too deeply, or too slow to parse. */
export type SyntaxParser = (text: string) => SyntaxNode | undefined

/**
 * Creates a synchronous parser into plain trees, for code that follows names across files.
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

/** Uses a cursor, so that depth is no problem; asks it as little as possible, since each call takes time. */
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

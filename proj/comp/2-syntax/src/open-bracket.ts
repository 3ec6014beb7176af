import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import { isPage, type ParsedId } from './language-id.js'
import type { LanguageSyntax } from './languages/syntax-data.js'
import { pageScripts } from './page-scripts.js'
import type { ParseClock } from './parse-time.js'
import { withoutBom, withTree } from './with-tree.js'

/** A bracket without its partner. */
export interface LoneBracket {
  bracket: string
  /** From 1. */
  line: number
}

const CLOSERS = new Map([
  ['{', '}'], ['(', ')'], ['[', ']'], ['${', '}'], ['#{', '}'], ['#[', ']'], ['{{', '}}'], ['\\(', ')'],
])
const CLOSING = new Set(CLOSERS.values())

/**
 * The first closing bracket of a piece of code that nothing opened, else the last one that is never closed. Brackets in
 * strings, comments and regular expressions are none, nor those of shell. The piece need not be
 * whole code of its own: a method will do.
 *
 * @throws HermesError as `parseDefinitions`
 */
export async function loneBracket(language: ParsedId, text: string): Promise<LoneBracket | undefined> {
  // A piece of a page's script need not hold the tag around it.
  const read = isPage(language) && !pageScripts(language, text) ? 'typescript' : language
  return withTree(read, withoutBom(text), (tree, { syntax }, clock) => loneBracketIn(tree, syntax, clock))
}

/** The same of a tree. */
export function loneBracketIn(
  tree: Tree, { looseBrackets }: LanguageSyntax, clock: ParseClock,
): LoneBracket | undefined {
  if (looseBrackets) return undefined
  const open: LoneBracket[] = []
  for (const leaf of leaves(tree.rootNode)) {
    clock.check()
    const { type } = leaf
    const line = leaf.startPosition.row + 1
    if (CLOSERS.has(type)) open.push({ bracket: type, line })
    else if (CLOSING.has(type) && CLOSERS.get(open.pop()?.bracket ?? '') !== type) return { bracket: type, line }
  }
  return open.at(-1)
}

/** What the parser made up to go on is not there. */
function* leaves(root: Node): Generator<Node> {
  const cursor = root.walk()
  try {
    for (let isDone = false; !isDone;) {
      if (cursor.gotoFirstChild()) continue
      if (!cursor.nodeIsMissing) yield cursor.currentNode
      while (!cursor.gotoNextSibling()) {
        if (cursor.gotoParent()) continue
        isDone = true
        break
      }
    }
  } finally {
    cursor.delete()
  }
}

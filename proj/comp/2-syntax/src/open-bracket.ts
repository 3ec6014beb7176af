import type { Node, Tree } from '@vscode/tree-sitter-wasm'
import { isPage, type ParsedId } from './language-id.js'
import type { LanguageSyntax } from './languages/syntax-data.js'
import { pageScripts } from './page-scripts.js'
import type { ParseClock } from './parse-time.js'
import { withoutBom, withTree } from './with-tree.js'

/** A bracket without its counterpart. */
export interface LoneBracket {
  bracket: string
  /** 1-based. */
  line: number
}

const CLOSERS = new Map([
  ['{', '}'], ['(', ')'], ['[', ']'], ['${', '}'], ['#{', '}'], ['#[', ']'], ['{{', '}}'], ['\\(', ')'],
])
const CLOSING = new Set(CLOSERS.values())

/**
 * Finds an unpaired bracket: the first closing one that was never opened, else the last one that is never closed.
 * Ignores brackets in strings, comments and regular expressions, and all in shell. The code may be a fragment, such as
 * a method.
 *
 * @throws HermesError as `parseDefinitions`
 */
export async function loneBracket(language: ParsedId, text: string): Promise<LoneBracket | undefined> {
  // A fragment of a page's script may lack the surrounding tag.
  const read = isPage(language) && !pageScripts(language, text) ? 'typescript' : language
  return withTree(read, withoutBom(text), (tree, { syntax }, clock) => loneBracketIn(tree, syntax, clock))
}

/** As `loneBracket`, for a parsed tree. */
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

/** Leaf nodes, without those that the parser inserted to recover from errors. */
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

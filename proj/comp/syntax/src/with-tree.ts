import type { Tree } from '@vscode/tree-sitter-wasm'
import { HermesError } from '../../contracts/src/index.js'
import { forgetGrammars, type Grammar, loadGrammar, loadGrammarAlone } from './grammar.js'
import type { LanguageId } from './language-id.js'

/** Longest text that is parsed, in UTF-16 units. */
export const MOST_SOURCE_CHARS = 1024 * 1024

/** Longest time one text may take to parse: broken code can take far longer than code. */
const MOST_MS = 5000

/**
 * Brackets open at once, from which on a text is parsed apart from others: where deep nesting is broken too, the
 * parser can overflow its stack and then holds wrong data.
 */
const DEEP = 1000

/**
 * Parses a text and frees the tree when `use` is done with it. Code with errors gives a tree all the same.
 *
 * @throws HermesError `FILE_TOO_LARGE`, also for broken code that is nested too deeply, `TIMEOUT` over 5 seconds,
 *   `NOT_INSTALLED`
 */
export async function withTree<Result>(
  language: LanguageId, text: string, use: (tree: Tree, grammar: Grammar) => Result,
): Promise<Result> {
  if (text.length > MOST_SOURCE_CHARS) throw tooLarge('Source is too large to parse: over 1,048,576 characters')
  const alone = bracketDepth(text) > DEEP
  const grammar = await (alone ? loadGrammarAlone(language) : loadGrammar(language))
  try {
    const tree = parseWithin(grammar, text)
    const result = use(tree, grammar)
    tree.delete()
    return result
  } catch (error) {
    // WebAssembly's own: the stack overflowed.
    if (!(error instanceof Error) || error.name !== 'RuntimeError') throw error
    if (!alone) forgetGrammars()
    throw tooLarge('Source is nested too deeply to parse')
  }
}

function parseWithin({ parser }: Grammar, text: string): Tree {
  const end = performance.now() + MOST_MS
  const isLate = () => performance.now() > end
  const tree = parser.parse(text, null, { progressCallback: isLate })
  if (tree) return tree
  parser.reset()
  throw new HermesError('TIMEOUT', 'Source takes over 5 seconds to parse', {
    hint: 'It may not be in the language its name says. grep finds text in any file.',
  })
}

function tooLarge(message: string): HermesError {
  return new HermesError('FILE_TOO_LARGE', message, { hint: 'grep finds text in files of any size.' })
}

/** How deep brackets are nested, those in strings and comments included. */
function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.matchAll(/[[\](){}]/g)) {
    if (bracket === '[' || bracket === '(' || bracket === '{') deepest = Math.max(deepest, ++depth)
    else if (depth > 0) depth--
  }
  return deepest
}

/** A byte order mark would count as a column. */
export function withoutBom(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

import type { Tree } from '@vscode/tree-sitter-wasm'
import { HermesError } from '../../0-contracts/src/index.js'
import { forgetGrammars, type Grammar, loadGrammar, loadGrammarAlone } from './load-grammar.js'
import { isPage, type ParsedId } from './language-id.js'
import { pageScripts } from './page-scripts.js'
import { type ParseClock, ParseTime, tooSlow } from './parse-time.js'

/** Longest text that is parsed, in UTF-16 units. */
export const MOST_SOURCE_CHARS = 1024 * 1024

/**
 * Brackets open at once, from which on a text is parsed apart from others: where deep nesting is broken too, the
 * parser can overflow its stack and then holds wrong data.
 */
export const DEEP = 1000

/**
 * Parses a text, of a page its scripts, and frees the tree when `use` is done with it. Code with errors gives a tree
 * all the same. Queries and loops over what they find are for `use` to end when the clock says so: with many errors
 * they can take far longer than the parser.
 *
 * @throws HermesError `FILE_TOO_LARGE`, also for broken code that is nested too deeply, `TIMEOUT` over the `time` of
 *   one text, `NOT_INSTALLED`
 */
export async function withTree<Result>(
  language: ParsedId, text: string,
  use: (tree: Tree, grammar: Grammar, clock: ParseClock, source: string) => Result, time = new ParseTime(),
): Promise<Result> {
  checkSize(text)
  if (isPage(language)) {
    const scripts = pageScripts(language, text)
    return withTree(scripts?.language ?? 'javascript', scripts?.code ?? '', use, time)
  }
  const alone = bracketDepth(text) > DEEP
  const grammar = await (alone ? loadGrammarAlone(language) : loadGrammar(language))
  const clock = time.start(text)
  try {
    return useTree(parseWithin(grammar, text, clock), (tree) => use(tree, grammar, clock, text))
  } catch (error) {
    // WebAssembly's own: the stack overflowed.
    if (!(error instanceof Error) || error.name !== 'RuntimeError') throw error
    if (!alone) forgetGrammars()
    throw tooLarge('Source is nested too deeply to parse')
  } finally {
    clock.done()
  }
}

export function parseWithin({ parser }: Grammar, text: string, { isLate }: ParseClock): Tree {
  const tree = parser.parse(text, null, { progressCallback: isLate })
  if (tree) return tree
  parser.reset()
  throw tooSlow()
}

function useTree<Result>(tree: Tree, use: (tree: Tree) => Result): Result {
  try {
    const result = use(tree)
    tree.delete()
    return result
  } catch (error) {
    // After an error of WebAssembly's own its memory is not touched any more.
    if (error instanceof HermesError) tree.delete()
    throw error
  }
}

/** @throws HermesError `FILE_TOO_LARGE` */
export function checkSize(text: string): void {
  if (text.length > MOST_SOURCE_CHARS) throw tooLarge('Source is too large to parse: over 1,048,576 characters')
}

function tooLarge(message: string): HermesError {
  return new HermesError('FILE_TOO_LARGE', message, { hint: 'search_files finds text in files of any size.' })
}

/** How deep brackets are nested, those in strings and comments included. */
export function bracketDepth(text: string): number {
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

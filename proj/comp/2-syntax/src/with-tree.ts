import type { Tree } from '@vscode/tree-sitter-wasm'
import { HermesError } from '../../0-contracts/src/index.js'
import { forgetGrammars, type Grammar, loadGrammar, loadGrammarAlone } from './load-grammar.js'
import { isPage, type ParsedId } from './language-id.js'
import { pageScripts } from './page-scripts.js'
import { type ParseClock, ParseTime, tooSlow } from './parse-time.js'

/** Longest text to parse, in UTF-16 units. */
export const MOST_SOURCE_CHARS = 1024 * 1024

/**
 * Bracket depth from which a text is parsed in an instance of its own: on broken, deeply nested code the parser can
 * overflow its stack, and then holds corrupt data.
 */
export const DEEP = 1000

/**
 * Parses a text (for a page, its scripts), and frees the tree when `use` returns. Code with errors also yields a tree.
 * `use` must stop queries and loops when the clock says so: with many errors they can take far longer than parsing.
 *
 * @throws HermesError `FILE_TOO_LARGE`, also for broken code that is nested too deeply, `TIMEOUT` over the time limit
 *   of one text, `NOT_INSTALLED`
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
    const tree = parseWithin(grammar, text, clock)
    return freed(() => use(tree, grammar, clock, text), () => tree.delete())
  } catch (error) {
    // An error of WebAssembly itself: stack overflow.
    if (!(error instanceof Error) || error.name !== 'RuntimeError') throw error
    if (!alone) forgetGrammars()
    throw tooDeep()
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

/** Frees trees when `use` returns. */
export function freed<Result>(use: () => Result, free: () => void): Result {
  try {
    const result = use()
    free()
    return result
  } catch (error) {
    // After an error of WebAssembly itself, its memory must not be touched.
    if (error instanceof HermesError) free()
    throw error
  }
}

/** @throws HermesError `FILE_TOO_LARGE` */
export function checkSize(text: string): void {
  if (text.length > MOST_SOURCE_CHARS) throw tooLarge('Source is too large to parse: over 1,048,576 characters')
}

export function tooDeep(): HermesError {
  return tooLarge('Source is nested too deeply to parse')
}

function tooLarge(message: string): HermesError {
  return new HermesError('FILE_TOO_LARGE', message, { hint: 'search_files finds text in files of any size.' })
}

/** Maximum bracket depth, including brackets in strings and comments. */
export function bracketDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.matchAll(/[[\](){}]/g)) {
    if (bracket === '[' || bracket === '(' || bracket === '{') deepest = Math.max(deepest, ++depth)
    else if (depth > 0) depth--
  }
  return deepest
}

/** Removes a byte order mark, which would count as a column. */
export function withoutBom(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

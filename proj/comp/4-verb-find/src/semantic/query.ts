import { termsOf, termsOfWord, wordsOf } from '../../../3-code-index/src/index.js'

export interface Query {
  /** What to look for, each once. */
  terms: readonly string[]
  /** The telling words as they were written, with their terms. */
  words: ReadonlyMap<string, readonly string[]>
}

/** What questions are made of, stemmed as terms are. */
const STOP_WORDS = new Set([
  'a all also an and any are as at be been being but by can could did do does etc for from get gets had has have how i',
  'if in into is it its let like look me my of on only or our should show so such than that the their them then there',
  'these they this those to too us use used uses using was we were what when where which while who whose why will with',
  'would you your implement implemented implementation handled happen happens thing things place places',
].flatMap((line) => termsOf(line)))

/** @returns no terms where the text holds no word */
export function readQuery(text: string): Query {
  const all = new Map(wordsOf(text).map((word) => [word, termsOfWord(word)]))
  const telling = new Map([...all].filter(([, terms]) => terms.some((term) => !STOP_WORDS.has(term))))
  const words = telling.size > 0 ? telling : all
  const terms = new Set([...words.values()].flat())
  return { terms: [...terms].filter((term) => telling.size === 0 || !STOP_WORDS.has(term)), words }
}

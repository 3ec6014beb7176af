import { valueAt } from '../../../0-text/src/index.js'
import { splitWord, wordsOf } from './split-words.js'
import { stem } from './stem.js'

/** Longest term; longer ones are keys and hashes. */
const MOST_CHARS = 48
/** Scripts without spaces between words, or with suffixes attached to them. */
const GLUED = new RegExp(String.raw`^[${
  ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
    .map((script) => String.raw`\p{Script=${script}}`).join('')
}\p{Lm}\p{M}]{3,}$`, 'u')

/**
 * The search terms of a text, in lower case: the parts of each identifier, stemmed, plus the whole identifier if it has
 * several. Terms only contain letters, marks and digits.
 */
export function termsOf(text: string): string[] {
  const terms: string[] = []
  for (const word of wordsOf(text)) for (const term of knownTermsOf(word)) terms.push(term)
  return terms
}

/** Size of the cache of words. */
const MOST_KEPT = 50_000
const kept = new Map<string, readonly string[]>()

function knownTermsOf(word: string): readonly string[] {
  return valueAt(kept, word, () => {
    if (kept.size === MOST_KEPT) kept.clear()
    return termsOfWord(word)
  })
}

/** The terms of one word from `wordsOf`. */
export function termsOfWord(word: string): string[] {
  const parts = splitWord(word).map((part) => part.toLowerCase())
  const terms = parts.flatMap((part) => (GLUED.test(part) ? pairsOf(part) : stem(part)))
  return (parts.length > 1 ? [...terms, parts.join('')] : terms).filter((term) => term.length <= MOST_CHARS)
}

/** Character pairs, for text without word boundaries. */
function pairsOf(part: string): string[] {
  const chars = [...part]
  return chars.slice(1).map((char, i) => `${chars[i]!}${char}`)
}

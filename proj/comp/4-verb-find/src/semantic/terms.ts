import { splitWord, wordsOf } from './split-words.js'
import { stem } from './stem.js'

/** Longer ones are keys and hashes, not words. */
const MOST_CHARS = 48
const WITHOUT_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{3,}$/u

/**
 * The terms a text is found by, in lower case: the parts of each identifier, stemmed, and the identifier as a whole
 * where it has several. Terms hold only letters, marks and digits.
 */
export function termsOf(text: string): string[] {
  return wordsOf(text).flatMap(termsOfWord).filter((term) => term.length <= MOST_CHARS)
}

function termsOfWord(word: string): string[] {
  const parts = splitWord(word).map((part) => part.toLowerCase())
  const terms = parts.flatMap((part) => (WITHOUT_SPACES.test(part) ? pairsOf(part) : stem(part)))
  return parts.length > 1 ? [...terms, parts.join('')] : terms
}

/** Scripts without spaces are found by pairs of characters. */
function pairsOf(part: string): string[] {
  const chars = [...part]
  return chars.slice(1).map((char, i) => `${chars[i]!}${char}`)
}

/**
 * Terms with how often each occurs, as one text: ` parse:3 http:1 `. It loads at once, and a term is found in it faster
 * than a list is read in.
 */
export type TermCounts = string

export function countTerms(terms: readonly string[]): TermCounts {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return ` ${[...counts].map(([term, count]) => `${term}:${count} `).join('')}`
}

export function countOf(counts: TermCounts, term: string): number {
  const at = counts.indexOf(` ${term}:`)
  return at === -1 ? 0 : Number.parseInt(counts.slice(at + term.length + 2, at + term.length + 12), 10)
}

import { RELATED } from './related-words.js'
import { termsOf } from './terms.js'

/** Terms to look for, each with those that mean about the same. */
export type Query = ReadonlyMap<string, readonly string[]>

/** What questions are made of, stemmed as terms are. */
const STOP_WORDS = new Set([
  'a an and any are as at be been being but by can code could did do does find for from get gets had has have how i if',
  'in into is it its let like look me my of on or our should show so such than that the their them then there these',
  'they this those to us use used uses using was we were what when where which while who whose why will with would you',
  'your implement implemented implementation handled happen happens thing things place places',
].flatMap((line) => termsOf(line)))

/** @returns an empty map where the text holds no word */
export function readQuery(text: string): Query {
  const all = new Set(termsOf(text))
  const telling = [...all].filter((term) => !STOP_WORDS.has(term))
  const terms = telling.length > 0 ? telling : [...all]
  return new Map(terms.map((term) => [term, (RELATED.get(term) ?? []).filter((related) => !terms.includes(related))]))
}

import { addTo } from '../../../0-text/src/index.js'

const SHORTEST = 3
const LONGER = 5
/** Least share of the longer word that two related forms have in common. */
const MOST_OF_IT = 0.6
const ASCII = /^[\u0000-\u007f]+$/

/**
 * For each term of a query, its number in the dictionary and those of terms with the same beginning: abbreviations
 * (`arg` for `argument`, `config` for `configuration`) and compounds in lower case (`timeout` for `timeoutid`).
 *
 * @returns by number of the term in the dictionary, indexes in `wanted`; the term itself has `isSame`
 */
export function relatedTerms(
  wanted: readonly string[], terms: readonly string[],
): Map<number, { wanted: number; isSame: boolean }[]> {
  const related = new Map<number, { wanted: number; isSame: boolean }[]>()
  const known = new Set<number>()
  const add = (number: number, at: number, isSame: boolean): void => {
    addTo(related, number, { wanted: at, isSame })
    if (isSame) known.add(at)
  }
  for (let number = 0; number < terms.length; number++) {
    const term = terms[number]!
    for (let at = 0; at < wanted.length; at++) {
      const other = wanted[at]!
      if (term.charCodeAt(0) !== other.charCodeAt(0)) continue
      if (term === other) add(number, at, true)
      else if (beginsWith(term, other) || beginsWith(other, term)) add(number, at, false)
    }
  }
  // For a word that occurs nowhere, other forms or its consonants alone may occur.
  const unknown = wanted.flatMap((term, at) => (known.has(at) ? [] : { term, at }))
  if (unknown.length === 0) return related
  for (const [number, term] of terms.entries()) {
    for (const { term: other, at } of unknown) if (isLikely(term, other)) add(number, at, false)
  }
  return related
}

function beginsWith(long: string, short: string): boolean {
  return short.length >= SHORTEST && long.length >= LONGER && long.length > short.length && long.startsWith(short)
}

function isLikely(term: string, other: string): boolean {
  const [short, long] = term.length < other.length ? [term, other] : [other, term]
  if (isSkeleton(short, long)) return true
  if (short.length <= SHORTEST) return false
  // Other scripts also put articles and the like in front of words.
  if (!ASCII.test(short) && long.includes(short)) return true
  let same = 0
  while (same < short.length && short[same] === long[same]) same++
  return same > SHORTEST && same >= long.length * MOST_OF_IT
}

/**
 * Whether `short` is a skeleton of `long`, as `cfg` of `configuration`: the first letter, then consonants in order, and
 * not too few.
 */
function isSkeleton(short: string, long: string): boolean {
  const isShort = long.length >= short.length + 2 && long.length <= short.length ** 2 + 1
  if (!isShort || long[0] !== short[0] || !/^[a-z][b-df-hj-np-tv-xz]{1,3}$/.test(short)) return false
  let at = 0
  for (const letter of long) if (letter === short[at]) at++
  return at === short.length
}

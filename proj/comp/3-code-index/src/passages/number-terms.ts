import type { Dictionary } from './dictionary.js'
import type { FilePassages, TextPassages } from './text-passages.js'

/** So many terms a text can have, and a dictionary: a `Map` holds no more. */
const PLACES = 2 ** 24

/** The passages of a text with the numbers of its terms in the dictionary, ascending; new terms are added to it. */
export function numberTerms({ terms, starts, postings, ...rest }: TextPassages, dictionary: Dictionary): FilePassages {
  // The number of each term with its place in the text, so that one sort of plain numbers orders both.
  const inOrder = Float64Array.from(terms, (term, place) => dictionary.add(term) * PLACES + place).sort()
  const ordered = {
    terms: new Uint32Array(terms.length), starts: new Uint32Array(starts.length),
    postings: new Uint32Array(postings.length),
  }
  let end = 0
  for (const [i, key] of inOrder.entries()) {
    const place = key % PLACES
    ordered.terms[i] = (key - place) / PLACES
    ordered.postings.set(postings.subarray(starts[place], starts[place + 1]), end)
    end += starts[place + 1]! - starts[place]!
    ordered.starts[i + 1] = end
  }
  return { ...ordered, ...rest }
}

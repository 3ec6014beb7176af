import { valueAt } from '../../../0-text/src/index.js'
import type { FilePassages, TextPassages } from './text-passages.js'

/** Numbers for terms, from 0 in the order in which they came. */
export class Dictionary {
  /** Made when the first term is added: a search only reads. */
  #numbers: Map<string, number> | undefined

  constructor(readonly terms: string[] = []) {}

  get size(): number {
    return this.terms.length
  }

  /** The number of a term, a new one where it has none. */
  add(term: string): number {
    return valueAt(this.#numbers ??= numbersOf(this.terms), term, () => this.terms.push(term) - 1)
  }
}

function numbersOf(terms: readonly string[]): Map<string, number> {
  const numbers = new Map<string, number>()
  for (let number = 0; number < terms.length; number++) numbers.set(terms[number]!, number)
  return numbers
}

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

/** Numbers for terms, from 0 in the order in which they came. */
export class Dictionary {
  readonly terms: string[]
  /** Made when the first term is added: a search only reads. */
  #numbers: Map<string, number> | undefined

  constructor(terms: string[] = []) {
    this.terms = terms
  }

  get size(): number {
    return this.terms.length
  }

  /** The number of a term, a new one where it has none. */
  add(term: string): number {
    const numbers = this.#numbers ??= numbersOf(this.terms)
    const known = numbers.get(term)
    if (known !== undefined) return known
    const number = this.terms.push(term) - 1
    numbers.set(term, number)
    return number
  }
}

function numbersOf(terms: readonly string[]): Map<string, number> {
  const numbers = new Map<string, number>()
  for (let number = 0; number < terms.length; number++) numbers.set(terms[number]!, number)
  return numbers
}

/** Numbers for terms, from 0 in the order in which they came. */
export class Dictionary {
  readonly terms: string[]
  readonly #numbers: Map<string, number>

  /** @param terms no two of them the same */
  constructor(terms: string[] = []) {
    this.terms = terms
    this.#numbers = new Map(terms.map((term, number) => [term, number]))
  }

  get size(): number {
    return this.terms.length
  }

  /** The number of a term, a new one where it has none. */
  add(term: string): number {
    const known = this.#numbers.get(term)
    if (known !== undefined) return known
    const number = this.terms.push(term) - 1
    this.#numbers.set(term, number)
    return number
  }

  /** Whether all terms differ: what was read from a file may not keep to that. */
  isSound(): boolean {
    return this.#numbers.size === this.terms.length
  }
}

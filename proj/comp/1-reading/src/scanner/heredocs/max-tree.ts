/** The largest of any run of numbers, in logarithmic time: a segment tree. */
export class MaxTree {
  readonly #size: number
  readonly #nodes: Float64Array

  constructor(values: readonly number[]) {
    this.#size = values.length
    this.#nodes = new Float64Array(2 * this.#size).fill(-Infinity)
    this.#nodes.set(values, this.#size)
    for (let node = this.#size - 1; node > 0; node--) {
      this.#nodes[node] = Math.max(this.#nodes[2 * node]!, this.#nodes[2 * node + 1]!)
    }
  }

  /** Of the values from index `from` up to, not with, `to`; `-Infinity` where there are none. */
  max(from: number, to: number): number {
    let best = -Infinity
    for (let left = from + this.#size, right = to + this.#size; left < right; left >>= 1, right >>= 1) {
      if (left & 1) best = Math.max(best, this.#nodes[left++]!)
      if (right & 1) best = Math.max(best, this.#nodes[--right]!)
    }
    return best
  }
}

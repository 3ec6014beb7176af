/** A queue of bytes that copies no more than what is taken. */
export class ByteQueue {
  #chunks: Buffer[] = []
  #size = 0

  get size(): number {
    return this.#size
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return
    this.#chunks.push(chunk)
    this.#size += chunk.length
  }

  unshift(chunk: Buffer): void {
    if (chunk.length === 0) return
    this.#chunks.unshift(chunk)
    this.#size += chunk.length
  }

  /** At least this many bytes in one buffer, or all there are. */
  peek(bytes: number): Buffer {
    const [first = Buffer.alloc(0)] = this.#chunks
    if (first.length >= bytes || this.#chunks.length <= 1) return first
    let count = 0
    for (let size = 0; count < this.#chunks.length && size < bytes; count++) size += this.#chunks[count]?.length ?? 0
    const merged = Buffer.concat(this.#chunks.slice(0, count))
    this.#chunks.splice(0, count, merged)
    return merged
  }

  /** Removes the first bytes; there must be enough. */
  take(bytes: number): Buffer {
    const taken = this.peek(bytes).subarray(0, bytes)
    this.drop(bytes)
    return taken
  }

  drop(bytes: number): void {
    let left = Math.min(bytes, this.#size)
    this.#size -= left
    let count = 0
    for (; left > 0; count++) {
      const chunk = this.#chunks[count]
      if (!chunk) break
      if (chunk.length > left) {
        this.#chunks[count] = chunk.subarray(left)
        break
      }
      left -= chunk.length
    }
    this.#chunks.splice(0, count)
  }
}

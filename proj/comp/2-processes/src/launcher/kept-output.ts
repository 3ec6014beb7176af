/** Collects the start of a stream, at most `limit` bytes. */
export class KeptOutput {
  /** Number of pieces so far. */
  pieces = 0
  /** Whether more came than is kept. */
  overflowed = false
  /** Resolves when more comes than is kept. */
  readonly full: Promise<void>
  readonly #chunks: Buffer[] = []
  #room: number

  /** @param take receives the pieces in place of collecting them; returns false to stop */
  constructor(stream: NodeJS.ReadableStream, limit: number, take?: (piece: Buffer) => boolean) {
    this.#room = limit
    this.full = new Promise<void>(resolve => {
      stream.on('data', (chunk: Buffer) => {
        this.pieces++
        if (take ? take(chunk) : this.#keep(chunk)) return
        this.overflowed = true
        resolve()
      })
    })
    // A broken pipe just ends.
    stream.on('error', () => undefined)
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  #keep(chunk: Buffer): boolean {
    const fits = chunk.length <= this.#room
    if (this.#room > 0) this.#chunks.push(chunk.subarray(0, this.#room))
    this.#room -= Math.min(chunk.length, this.#room)
    return fits
  }
}

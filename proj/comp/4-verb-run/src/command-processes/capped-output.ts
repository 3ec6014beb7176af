import { StringDecoder } from 'node:string_decoder'

/** Collects one output stream in bounded memory: at most `limit` bytes, half from its start and half from its end. */
export class CappedOutput {
  readonly #headLimit: number
  readonly #tailLimit: number
  #head = Buffer.alloc(0)
  #headLength = 0
  /** Ring buffer, created when the head is full. */
  #tail: Buffer | undefined
  #tailTotal = 0

  constructor(limit: number) {
    this.#headLimit = Math.ceil(limit / 2)
    this.#tailLimit = Math.floor(limit / 2)
  }

  /** Number of bytes dropped between head and tail. */
  get omitted(): number {
    return Math.max(0, this.#tailTotal - this.#tailLimit)
  }

  push(chunk: Uint8Array): void {
    const room = Math.min(chunk.length, this.#headLimit - this.#headLength)
    if (room > 0) this.#pushHead(chunk.subarray(0, room))
    if (room < chunk.length) this.#pushTail(chunk.subarray(room))
  }

  /** The kept output as UTF-8, with U+FFFD for invalid bytes; a line in the middle says how much is missing. */
  text(): string {
    const head = this.#head.subarray(0, this.#headLength)
    const tail = this.#unrolledTail()
    if (this.omitted === 0) return Buffer.concat([head, tail]).toString('utf8')
    const start = new StringDecoder('utf8').write(head)
    const end = tail.subarray(continuationBytes(tail))
    const kept = Buffer.byteLength(start) + end.length
    const omitted = head.length + this.#tailTotal - kept
    return `${start}${start.endsWith('\n') ? '' : '\n'}… ${omitted} bytes omitted …\n${end.toString('utf8')}`
  }

  #pushHead(bytes: Uint8Array): void {
    const needed = this.#headLength + bytes.length
    if (needed > this.#head.length) {
      const grown = Buffer.allocUnsafe(Math.min(this.#headLimit, Math.max(needed, 2 * this.#head.length)))
      this.#head.copy(grown, 0, 0, this.#headLength)
      this.#head = grown
    }
    this.#head.set(bytes, this.#headLength)
    this.#headLength = needed
  }

  #pushTail(bytes: Uint8Array): void {
    this.#tail ??= Buffer.allocUnsafe(this.#tailLimit)
    const last = bytes.subarray(Math.max(0, bytes.length - this.#tailLimit))
    this.#tailTotal += bytes.length
    if (last.length === 0) return
    const from = (this.#tailTotal - last.length) % this.#tailLimit
    const untilEdge = Math.min(last.length, this.#tailLimit - from)
    this.#tail.set(last.subarray(0, untilEdge), from)
    this.#tail.set(last.subarray(untilEdge), 0)
  }

  #unrolledTail(): Buffer {
    if (this.#tail === undefined) return Buffer.alloc(0)
    if (this.#tailTotal <= this.#tailLimit) return this.#tail.subarray(0, this.#tailTotal)
    const edge = this.#tailTotal % this.#tailLimit
    return Buffer.concat([this.#tail.subarray(edge), this.#tail.subarray(0, edge)])
  }
}

/** Number of bytes at the start that belong to a character begun before: at most three. */
function continuationBytes(bytes: Uint8Array): number {
  let count = 0
  while (count < 3 && ((bytes[count] ?? 0) & 0xc0) === 0x80) count++
  return count
}

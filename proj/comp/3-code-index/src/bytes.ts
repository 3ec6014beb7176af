/** The bytes are not what the index writes: they were truncated, or written by something else. */
export class DamagedIndex extends Error {
  override readonly name = 'DamagedIndex'
}

/** Appends numbers and texts to a growing buffer. Numbers are integers from 0 to 2^53 - 1. */
export class ByteWriter {
  #bytes = Buffer.allocUnsafe(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Variable-length number: seven bits a byte, lowest first; the eighth bit marks that more follow. */
  number(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8)
    let rest = value
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    this.#bytes[this.#length++] = rest
  }

  double(value: number): void {
    if (this.#length + 8 > this.#bytes.length) this.#grow(8)
    this.#length = this.#bytes.writeDoubleLE(value, this.#length)
  }

  bytes(value: Uint8Array): void {
    if (this.#length + value.length > this.#bytes.length) this.#grow(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  /** Bytes, preceded by their count. */
  block(value: Uint8Array): void {
    this.number(value.length)
    this.bytes(value)
  }

  /** Texts to be read back all at once. */
  texts(values: readonly string[]): void {
    this.number(values.length)
    for (const { length } of values) this.number(length)
    this.block(Buffer.from(values.join('')))
  }

  /** A view of the bytes written so far; not a copy. */
  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(by: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + by))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

/** Reads the output of a `ByteWriter`. All methods throw `DamagedIndex` for invalid bytes. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** A view of the unread bytes; not a copy. */
  rest(): Buffer {
    return this.bytes(this.#bytes.length - this.#at)
  }

  number(): number {
    let value = this.#next()
    if (value < 128) return value
    value -= 128
    for (let factor = 128; ; factor *= 128) {
      const byte = this.#next()
      value += (byte & 127) * factor
      if (byte < 128) break
      if (factor > 2 ** 42) throw new DamagedIndex('A number is too long')
    }
    if (!Number.isSafeInteger(value)) throw new DamagedIndex('A number is too large')
    return value
  }

  /** A count of items with a minimum size each, so that a wrong count cannot reserve too much memory. */
  count(bytesEach = 1): number {
    const value = this.number()
    if (value * bytesEach > this.#bytes.length - this.#at) throw new DamagedIndex('A count is larger than what follows')
    return value
  }

  double(): number {
    const value = this.bytes(8).readDoubleLE(0)
    if (!Number.isFinite(value)) throw new DamagedIndex('A time is none')
    return value
  }

  /** A view; not a copy. */
  bytes(length: number): Buffer {
    if (length > this.#bytes.length - this.#at) throw new DamagedIndex('The end is missing')
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  block(): Buffer {
    return this.bytes(this.number())
  }

  texts(): Texts {
    const count = this.count()
    const ends = new Uint32Array(count)
    let end = 0
    for (let index = 0; index < count; index++) ends[index] = end += this.number()
    const all = this.block().toString('utf8')
    if (end !== all.length) throw new DamagedIndex('Texts are not as long as they should be')
    return new Texts(all, ends)
  }

  #next(): number {
    const byte = this.#bytes[this.#at++]
    if (byte === undefined) throw new DamagedIndex('The end is missing')
    return byte
  }
}

/** A list of texts, each decoded on demand. */
export class Texts {
  constructor(private readonly all: string, private readonly ends: Uint32Array) {}

  get length(): number {
    return this.ends.length
  }

  /** @throws DamagedIndex for an invalid index */
  at(index: number): string {
    const end = this.ends[index]
    if (end === undefined) throw new DamagedIndex('There is no such text')
    return this.all.slice(index === 0 ? 0 : this.ends[index - 1], end)
  }

  first(count: number): string[] {
    return Array.from({ length: count }, (_, index) => this.at(index))
  }
}

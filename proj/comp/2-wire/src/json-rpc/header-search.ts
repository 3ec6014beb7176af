import { findStrayHeader, STRAY_HEADER_BYTES } from './frame-header.js'

/** Looks for the header of a message in a body that comes in pieces, each of which is looked at once. */
export class HeaderSearch {
  /** Where it begins, counted from the beginning of the body. */
  found: number | undefined
  #size = 0
  /** A header may be cut. */
  #tail: Buffer = Buffer.alloc(0)

  constructor(begun: Buffer) {
    this.add(begun)
  }

  add(chunk: Buffer): void {
    if (this.found !== undefined) return
    const bytes = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk])
    const at = findStrayHeader(bytes)
    if (at !== -1) this.found = this.#size - this.#tail.length + at
    this.#size += chunk.length
    this.#tail = Buffer.from(bytes.subarray(-STRAY_HEADER_BYTES))
  }
}

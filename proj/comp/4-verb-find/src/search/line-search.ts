import { cutLine } from './cut-line.js'

export interface LineMatch {
  /** 1-based. */
  number: number
  /** Without its ending; a long line is cut around the match. */
  text: string
}

const NEWLINE = 10
/** Most bytes kept of a line that has not ended yet; longer lines are searched in overlapping pieces. */
const MOST_PENDING = 64 * 1024
/** Bytes kept on either side of a match in such a line. */
const AROUND = 8 * 1024

/**
 * Finds the lines that contain a text in a file read in pieces, split anywhere. It compares UTF-8 bytes, in which no
 * character is part of another. Memory stays bounded for any length of line.
 */
export class LineSearch {
  readonly #needle: Buffer
  #pending: Buffer = Buffer.alloc(0)
  /** Whether bytes of the pending line before `#pending` were dropped. */
  #cut = false
  /** Whether the pending line has been reported already. */
  #reported = false
  #line = 1

  /** @param needle not empty, without a line break */
  constructor(needle: string, private readonly onMatch: (match: LineMatch) => void) {
    this.#needle = Buffer.from(needle)
  }

  push(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    const all = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes])
    const end = all.lastIndexOf(NEWLINE) + 1
    if (end > 0) this.#searchLines(all.subarray(0, end))
    this.#pending = all.subarray(end)
    if (this.#pending.length > MOST_PENDING) this.#shorten()
  }

  /** Call it after the last piece. */
  end(): void {
    if (this.#pending.length > 0) this.#searchLines(this.#pending)
    this.#pending = Buffer.alloc(0)
  }

  #searchLines(bytes: Buffer): void {
    let counted = 0
    let from = 0
    if (this.#reported) {
      const newline = bytes.indexOf(NEWLINE)
      from = newline === -1 ? bytes.length : newline + 1
    }
    for (let at = bytes.indexOf(this.#needle, from); at !== -1 && from < bytes.length;) {
      this.#line += countNewlines(bytes, counted, at)
      counted = at
      const start = at === 0 ? 0 : bytes.lastIndexOf(NEWLINE, at - 1) + 1
      const newline = bytes.indexOf(NEWLINE, at)
      const end = newline === -1 ? bytes.length : newline
      this.#report(bytes.subarray(start, end), at - start, this.#cut && start === 0)
      from = end + 1
      at = from < bytes.length ? bytes.indexOf(this.#needle, from) : -1
    }
    this.#line += countNewlines(bytes, counted, bytes.length)
    this.#cut = false
    this.#reported = false
  }

  /** Of an overlong line keeps only what a match may still need. */
  #shorten(): void {
    const bytes = this.#pending
    const at = this.#reported ? -1 : bytes.indexOf(this.#needle)
    const after = at + this.#needle.length
    if (at !== -1 && bytes.length - after >= AROUND) {
      this.#report(bytes, at, this.#cut)
      this.#reported = true
    }
    const keepFrom = this.#reported
      ? bytes.length
      : Math.max(0, at === -1 ? bytes.length - this.#needle.length + 1 - AROUND : at - AROUND)
    if (keepFrom > 0) this.#cut = true
    // A copy, so that the whole piece can be freed.
    this.#pending = Buffer.from(bytes.subarray(keepFrom))
  }

  #report(line: Buffer, at: number, cutBefore: boolean): void {
    this.onMatch({ number: this.#line, text: cutLine(line, at, this.#needle.length, cutBefore) })
  }
}

function countNewlines(bytes: Buffer, from: number, to: number): number {
  let count = 0
  for (let at = bytes.indexOf(NEWLINE, from); at !== -1 && at < to; at = bytes.indexOf(NEWLINE, at + 1)) count++
  return count
}

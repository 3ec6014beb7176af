import { countBreaks, lowerBound } from '../../0-text/src/index.js'

/** How the characters of a line are counted (LSP 3.17 `PositionEncodingKind`). */
export const POSITION_ENCODINGS = ['utf-16', 'utf-8', 'utf-32'] as const
export type PositionEncoding = (typeof POSITION_ENCODINGS)[number]

/** Both from 0; `character` in units of the encoding. */
export interface Position {
  line: number
  character: number
}

export interface Range {
  start: Position
  /** Not part of it. */
  end: Position
}

/** As hermes tells places: both from 1, lines end at `\n`, columns in UTF-16 units. */
export interface Place {
  line: number
  column: number
}

/** Line ends of the protocol. */
const LINE_END = /\r\n|\n|\r/g

/** A text without byte order mark, with its positions as a server counts them. */
export class PositionedText {
  /** Offset of the first character of each line, and of its line end. */
  readonly #lines: { start: number; end: number }[] = []
  /** Offsets of its line feeds. */
  #feeds: readonly number[] | undefined

  constructor(readonly text: string, private readonly encoding: PositionEncoding) {
    let start = 0
    for (const { index, 0: { length } } of text.matchAll(LINE_END)) {
      this.#lines.push({ start, end: index })
      start = index + length
    }
    this.#lines.push({ start, end: text.length })
  }

  /**
   * Offset in UTF-16 units. A character behind the end of its line is the end of it (LSP 3.17, Position).
   *
   * @returns `undefined` for a line that is not there, and within a character
   */
  offsetAt({ line, character }: Position): number | undefined {
    const bounds = this.#lines[line]
    // Of edits of whole texts: the line behind the last.
    if (!bounds) return line === this.#lines.length && character === 0 ? this.text.length : undefined
    let [at, count] = [bounds.start, 0]
    while (count < character && at < bounds.end) {
      const [length, units] = this.#characterAt(at)
      at += length
      count += units
    }
    return count > character ? undefined : at
  }

  positionAt(offset: number): Position {
    const line = lowerBound(1, this.#lines.length, (index) => this.#lines[index]!.start <= offset) - 1
    let character = 0
    for (let at = this.#lines[line]!.start; at < offset;) {
      const [length, units] = this.#characterAt(at)
      at += length
      character += units
    }
    return { line, character }
  }

  /** As `placeOfOffset`, for many offsets of one text. */
  placeAt(offset: number): Place {
    const feeds = this.#feeds ??= Array.from(this.text.matchAll(/\n/g), ({ index }) => index)
    const before = lowerBound(0, feeds.length, (index) => feeds[index]! < offset)
    return { line: before + 1, column: offset - (feeds[before - 1] ?? -1) }
  }

  #characterAt(at: number): [length: number, units: number] {
    const code = this.text.codePointAt(at) ?? 0
    const length = code > 0xffff ? 2 : 1
    if (this.encoding === 'utf-16') return [length, length]
    if (this.encoding === 'utf-32') return [length, 1]
    return [length, code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4]
  }
}

/** @returns `undefined` for a place that is not there */
export function offsetOfPlace(text: string, { line, column }: Place): number | undefined {
  let start = 0
  for (let left = line - 1; left > 0; left--) {
    const end = text.indexOf('\n', start)
    if (end === -1) return undefined
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  const offset = start + column - 1
  return offset <= (end === -1 ? text.length : end) ? offset : undefined
}

export function placeOfOffset(text: string, offset: number): Place {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  return { line: countBreaks(text, 0, offset) + 1, column: offset - start + 1 }
}

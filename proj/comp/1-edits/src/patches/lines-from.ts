import { lineAt } from '../engine/index.js'

/** A line of a text. */
export interface TextLine {
  start: number
  /** After its line break. */
  end: number
  /** Without its line break. */
  body: string
}

/** The lines that begin between two offsets, of which the first begins a line. */
export function* linesFrom(text: string, from: number, to: number): Generator<TextLine> {
  for (let start = from; start < to;) {
    const { body, ending } = lineAt(text, start)
    const end = start + body.length + ending.length
    yield { start, end, body }
    start = end
  }
}

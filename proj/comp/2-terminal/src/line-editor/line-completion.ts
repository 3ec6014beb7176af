import { splice, type Line } from './line.js'
import { textWidth } from './text-width.js'

/** What may stand in place of the part before the cursor. */
export interface Completion {
  hits: readonly string[]
  part: string
}

/** Columns between names that are listed. */
const GAP = 2

/** The line with all that the hits have in common in place of the part; the same one where that adds nothing. */
export function completeLine(line: Line, { hits, part }: Completion): Line {
  const common = hits.reduce((shared, hit) => shared.slice(0, sharedLength(shared, hit)), hits[0] ?? '')
  return common === '' || part.startsWith(common) ? line
    : splice(line, line.cursor - part.length, line.cursor, common)
}

/** The hits in columns, as rows of a terminal. */
export function hitRows(hits: readonly string[], columns: number): string[] {
  const width = Math.max(...hits.map(textWidth)) + GAP
  const each = Math.max(1, Math.floor((columns - 1) / width))
  return Array.from({ length: Math.ceil(hits.length / each) }, (_, row) =>
    hits.slice(row * each, (row + 1) * each)
      .map((hit) => `${hit}${' '.repeat(width - textWidth(hit))}`).join('').trimEnd())
}

function sharedLength(text: string, other: string): number {
  let length = 0
  while (length < text.length && text[length] === other[length]) length++
  return length
}

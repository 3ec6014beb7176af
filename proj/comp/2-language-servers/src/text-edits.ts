import type { PositionedText, Range } from './protocol-positions.js'

export interface TextEdit {
  range: Range
  newText: string
}

/** An edit by offsets in UTF-16 units. */
export interface OffsetEdit {
  start: number
  end: number
  newText: string
}

/**
 * The edits of a text in its order, each once.
 *
 * @returns what is wrong with them as a part of a sentence, where they cannot be made
 */
export function offsetEdits(text: PositionedText, edits: readonly TextEdit[]): OffsetEdit[] | string {
  const unique = new Map<string, OffsetEdit>()
  for (const [index, { range, newText }] of edits.entries()) {
    const start = text.offsetAt(range.start)
    const end = text.offsetAt(range.end)
    const where = `line ${range.start.line + 1}, character ${range.start.character}`
    if (start === undefined || end === undefined) return `${where} is no place in the file`
    if (end < start) return `a range at ${where} ends before it begins`
    // Servers name a place twice where two of their projects hold the file; inserts at one place are several.
    unique.set(start === end ? `insert ${index}` : JSON.stringify([start, end, newText]), { start, end, newText })
  }
  const sorted = [...unique.values()].sort((a, b) => a.start - b.start || a.end - b.end)
  const overlap = sorted.find((edit, index) => edit.start < (sorted[index - 1]?.end ?? 0))
  if (overlap === undefined) return sorted
  return `two edits overlap at line ${text.positionAt(overlap.start).line + 1}`
}

/** @param edits sorted and without overlaps */
export function withEdits(text: string, edits: readonly OffsetEdit[]): string {
  let [changed, at] = ['', 0]
  for (const { start, end, newText } of edits) {
    changed += text.slice(at, start) + newText
    at = end
  }
  return changed + text.slice(at)
}

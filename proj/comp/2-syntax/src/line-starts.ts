import { lowerBound } from '../../0-text/src/index.js'

/** Offsets at which the lines of a text begin. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The place of an offset, both numbers from 1, the column in UTF-16 units. */
export function placeIn(starts: readonly number[], offset: number): { line: number; column: number } {
  const row = lastAtMost(starts, offset)
  return { line: row + 1, column: offset - (starts[row] ?? 0) + 1 }
}

/** Index of the last number in a sorted list that is at most `value`; -1 where there is none. */
export function lastAtMost(sorted: readonly number[], value: number): number {
  return lowerBound(0, sorted.length, (index) => sorted[index]! <= value) - 1
}

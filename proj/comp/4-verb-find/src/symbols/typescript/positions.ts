/** Index of a position, both numbers from 1; a column beyond its line is the line's end. */
export function positionOf(text: string, line: number, column: number): number {
  let start = 0
  for (let count = 1; count < line; count++) {
    const end = text.indexOf('\n', start)
    if (end === -1) return text.length
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return Math.min(start + column - 1, end === -1 ? text.length : end)
}

/** Position of an index, from 1, the column in UTF-16 units. */
export function placeOf(text: string, index: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < index; end = text.indexOf('\n', start)) {
    line++
    start = end + 1
  }
  return { line, column: index - start + 1 }
}

/** Indexes at which the lines of a text begin. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return starts
}

/** As `placeOf`, for many places of one text. */
export function placeIn(starts: readonly number[], index: number): { line: number; column: number } {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (starts[middle]! <= index) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: index - starts[low]! + 1 }
}

/** As `positionOf`, for positions that exist. */
export function positionIn(starts: readonly number[], line: number, column: number): number | undefined {
  const start = starts[line - 1]
  return start === undefined ? undefined : start + column - 1
}

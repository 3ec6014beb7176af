import { lineEnding, type LineRange, splitLines } from './lines.js'

/**
 * Replaces lines of a text, which must have them; a `last` one less than `first` inserts before line `first`, or at
 * the end where `first` is one more than there are. Text without a final line break gets one like those around it,
 * unless it becomes the end of a text that had none. All else stays as it is.
 */
export function spliceLines(content: string, { first, last }: LineRange, inserted: string): string {
  const { bom, lines } = splitLines(content)
  const before = lines.slice(0, first - 1)
  const after = lines.slice(last)
  if (inserted === '') return [bom, ...before, ...after].join('')
  const previous = before.at(-1)
  const lead = previous !== undefined && lineEnding(previous) === '' ? breakNear(lines, first, inserted) : ''
  const tail = inserted.endsWith('\n') ? '' : endingAt(lines, { first, last }, inserted)
  return [bom, ...before, lead, inserted, tail, ...after].join('')
}

/** The line break the new lines end with. */
function endingAt(lines: readonly string[], { first, last }: LineRange, inserted: string): string {
  if (last >= first) return lineEnding(lines[last - 1] ?? '')
  const isEnd = last === lines.length
  return isEnd && lines.length > 0 ? lineEnding(lines[last - 1] ?? '') : breakNear(lines, first, inserted)
}

/** A line break of the lines around line `first`; where the text has none, as the new lines have them. */
function breakNear(lines: readonly string[], first: number, inserted: string): string {
  const around = [lines[first - 2], lines[first - 1], lines[first - 3], splitLines(inserted).lines[0]]
  return around.map((line) => lineEnding(line ?? '')).find((ending) => ending !== '') ?? '\n'
}

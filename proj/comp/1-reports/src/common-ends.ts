import { countBreaks } from '../../0-text/src/index.js'

/**
 * Removes whole lines that two texts have in common at their ends, so that little is left to compare after a small
 * change in a large file.
 *
 * @param context lines to keep on either side
 * @returns `linesBefore`: number of lines removed before them
 */
export function withoutCommonEnds(
  before: string, after: string, context: number,
): { before: string; after: string; linesBefore: number } {
  const shortest = Math.min(before.length, after.length)
  const head = longest(shortest, (length) => before.slice(0, length) === after.slice(0, length))
  const tail = longest(shortest - head, (length) => (
    before.slice(before.length - length) === after.slice(after.length - length)
  ))
  const start = linesUp(before, head, context)
  const end = linesDown(before, before.length - tail, context)
  return {
    before: before.slice(start, end),
    after: after.slice(start, after.length - (before.length - end)),
    linesBefore: countBreaks(before, 0, start),
  }
}

/** The largest number up to `most` for which `holds` is true, by bisection. */
function longest(most: number, holds: (length: number) => boolean): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (holds(middle)) low = middle
    else high = middle - 1
  }
  return low
}

/** Start of the line `count` lines above the one at `at`. */
function linesUp(text: string, at: number, count: number): number {
  let start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
  for (let left = count; left > 0 && start > 0; left--) start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1
  return start
}

/** End of the line `count` lines below the one at `at`. */
function linesDown(text: string, at: number, count: number): number {
  let end = at
  for (let left = count + 1; left > 0 && end < text.length; left--) {
    const newline = text.indexOf('\n', end)
    end = newline === -1 ? text.length : newline + 1
  }
  return end
}

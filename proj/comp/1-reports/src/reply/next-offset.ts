/** The line of the frame in place of items left out, as `readOn` writes it: no content begins so, which has a mark. */
const LEFT_OUT = /^ *\[.* To read on: .*"offset":(\d+)\}\]$/

/**
 * A hint of a call that pages, where the text shows fewer items than the page has: it would pass over those left out.
 *
 * @param hint lines, some of which may say `go on with offset: 100`
 * @param shown what is shown of the call
 */
export function withNextOffset(hint: readonly string[], shown: readonly string[]): string[] {
  // Of two lists of one call the one that is shown the least of.
  const next = Math.min(...shown.map((line) => Number(LEFT_OUT.exec(line)?.[1] ?? Number.POSITIVE_INFINITY)))
  if (next === Number.POSITIVE_INFINITY) return [...hint]
  return hint.map((line) => line.replace(/go on with offset: \d+/, `go on with offset: ${next}`))
}

/** The line of the frame in place of items left out, as `readOn` writes it: no content begins so, which has a mark. */
const LEFT_OUT = /^ *\[.* To read on: .*"offset":(\d+)\}\]$/

/**
 * A hint of a call that pages, where the text shows fewer items than the page has: it would pass over those left out.
 *
 * @param hint lines, some of which may say `go on with offset: 100`
 * @param shown what is shown of the call
 */
export function withNextOffset(hint: readonly string[], shown: readonly string[]): string[] {
  const [, next] = LEFT_OUT.exec(shown.findLast((line) => LEFT_OUT.test(line)) ?? '') ?? []
  if (next === undefined) return [...hint]
  return hint.map((line) => line.replace(/go on with offset: \d+/, `go on with offset: ${next}`))
}

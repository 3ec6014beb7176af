/**
 * A text without some of its comments, and the lines that they alone stood in.
 *
 * @param comments offsets
 * @returns `lineOf` the line, from 1, at which something of the text begins now, by its offset before
 */
export function withoutComments(text, comments) {
  const cuts = comments.toSorted((one, other) => one.start - other.start).map(({ start, end }) => {
    const from = text.lastIndexOf('\n', start - 1) + 1
    const rest = /^[ \t]*\r?\n/.exec(text.slice(end))
    return text.slice(from, start).trim() === '' && rest ? { start: from, end: end + rest[0].length } : { start, end }
  })
  let kept = ''
  let at = 0
  for (const { start, end } of cuts) {
    kept += text.slice(at, start)
    at = Math.max(at, end)
  }
  kept += text.slice(at)
  const lineOf = (offset) => {
    const before = cuts.reduce((sum, { start, end }) => sum + (end <= offset ? end - start : 0), 0)
    return kept.slice(0, offset - before).split('\n').length
  }
  return { text: kept, lineOf }
}

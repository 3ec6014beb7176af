import fastStringWidth from 'fast-string-width'

const ASCII = /^[\x20-\x7e]*$/

let segmenter: Intl.Segmenter | undefined

/** User-perceived characters (grapheme clusters): an emoji with modifiers, a letter with accents. */
export function charactersOf(text: string): string[] {
  if (ASCII.test(text)) return text.split('')
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Columns of a text in a terminal; colours take none. */
export function textWidth(text: string): number {
  return fastStringWidth(text)
}

/**
 * Breaks a line without colours into rows of at most `width` columns: at the last space that fits, else anywhere. A row
 * keeps its final space, so that the rows joined are the line.
 */
export function wrapText(line: string, width: number): string[] {
  const most = Math.max(width, 2)
  if (ASCII.test(line) && line.length <= most) return [line]
  const rows: string[] = []
  let row = ''
  let used = 0
  /** Position behind the last space of the row: length and columns. */
  let space = { length: 0, used: 0 }
  for (const one of charactersOf(line)) {
    const room = textWidth(one)
    // A space at the end may be beyond the edge, as it is invisible.
    if (used + room > most && one !== ' ') {
      const cut = space.length > 0 ? space : { length: row.length, used }
      rows.push(row.slice(0, cut.length))
      row = row.slice(cut.length)
      used -= cut.used
      space = { length: 0, used: 0 }
    }
    row += one
    used += room
    if (one === ' ') space = { length: row.length, used }
  }
  return [...rows, row]
}

/** The beginning of a text without colours that fits, with `…` if it is cut. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const one of charactersOf(text)) {
    const room = textWidth(one)
    if (used + room > width - 1) break
    kept += one
    used += room
  }
  return `${kept}…`
}

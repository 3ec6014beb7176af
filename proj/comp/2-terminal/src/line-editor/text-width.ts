import fastStringWidth from 'fast-string-width'

const ASCII = /^[\x20-\x7e]*$/

let segmenter: Intl.Segmenter | undefined

/** User-perceived characters (grapheme clusters): an emoji with modifiers, a letter with accents. */
export function charactersOf(text: string): string[] {
  if (ASCII.test(text)) return text.split('')
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Columns that a text takes in a terminal; escape sequences for colours take none. */
export function textWidth(text: string): number {
  return fastStringWidth(text)
}

/**
 * Breaks a line without colours into rows of at most `width` columns (at least 2, for wide characters): at the last
 * space that fits, else anywhere. A row keeps its final spaces, even beyond the edge, so that the rows joined are the
 * line.
 */
export function wrapText(line: string, width: number): string[] {
  const most = Math.max(width, 2)
  if (ASCII.test(line) && line.length <= most) return [line]
  const rows: string[] = []
  let row = ''
  let used = 0
  /** Where the row can be cut, behind its last space: length in UTF-16 units, and columns. */
  let lastSpace = { length: 0, used: 0 }
  for (const character of charactersOf(line)) {
    const columns = textWidth(character)
    // A space at the end may be beyond the edge, as it is invisible.
    if (used + columns > most && character !== ' ') {
      const cut = lastSpace.length > 0 ? lastSpace : { length: row.length, used }
      rows.push(row.slice(0, cut.length))
      row = row.slice(cut.length)
      used -= cut.used
      lastSpace = { length: 0, used: 0 }
    }
    row += character
    used += columns
    if (character === ' ') lastSpace = { length: row.length, used }
  }
  return [...rows, row]
}

/** The beginning of a text without colours that fits, with `…` if it is cut. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const character of charactersOf(text)) {
    const columns = textWidth(character)
    if (used + columns > width - 1) break
    kept += character
    used += columns
  }
  return `${kept}…`
}

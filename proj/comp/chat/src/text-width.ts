/** Scripts and symbols that terminals draw two columns wide (East Asian Wide and Fullwidth, emoji). */
const WIDE = new RegExp('[\\u1100-\\u115f\\u2329\\u232a\\u2e80-\\u303e\\u3041-\\u33ff\\u3400-\\u4dbf\\u4e00-\\ua4cf\\ua960-\\ua97f'
  + '\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6\\u{1b000}-\\u{1b2ff}\\u{20000}-\\u{3fffd}]'
  + '|\\p{Emoji_Presentation}', 'u')
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
const ASCII = /^[\x20-\x7e]*$/
const SGR = /\u001b\[[\d;]*m/g

let segmenter: Intl.Segmenter | undefined

/** What a reader takes for one character: an emoji with its modifiers, a letter with its accents. */
export function charactersOf(text: string): string[] {
  if (ASCII.test(text)) return text.split('')
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Columns that a text takes in a terminal; colours take none. */
export function textWidth(text: string): number {
  const plain = text.replace(SGR, '')
  if (ASCII.test(plain)) return plain.length
  return charactersOf(plain).reduce((sum, one) => sum + characterWidth(one), 0)
}

function characterWidth(character: string): number {
  if (NO_WIDTH.test(character)) return 0
  // A variation selector asks for the emoji's form.
  return WIDE.test(character) || character.includes('\ufe0f') ? 2 : 1
}

/**
 * Breaks a line without colours into rows of at most `width` columns: at the last space that fits, else anywhere. A row keeps
 * the space it ends in, so that the rows joined are the line.
 */
export function wrapText(line: string, width: number): string[] {
  const most = Math.max(width, 2)
  if (ASCII.test(line) && line.length <= most) return [line]
  const rows: string[] = []
  let row = ''
  let used = 0
  /** Behind the last space of the row: length, and columns. */
  let space = { length: 0, used: 0 }
  for (const one of charactersOf(line)) {
    const room = characterWidth(one)
    // A space at the end may stand beyond the edge: it is not seen.
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

/** The beginning of a text without colours that fits, with `…` where more follows. */
export function cutToWidth(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let kept = ''
  let used = 0
  for (const one of charactersOf(text)) {
    const room = characterWidth(one)
    if (used + room > width - 1) break
    kept += one
    used += room
  }
  return `${kept}…`
}

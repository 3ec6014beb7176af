import { nearestLines, type NearestLines } from './nearest-lines.js'

/** Most of a passage, and of one of its lines, that a hint shows; in UTF-16 units. */
const MOST = 2500
const MOST_OF_LINE = 1000

/** Characters that are invisible or look like a space, with their names. */
const UNSEEN: readonly (readonly [RegExp, string])[] = [
  [/\t/, 'tabs'], [/[\u00a0\u2007\u202f]/, 'no-break spaces'],
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, 'bidirectional marks, shown escaped'],
  [/[\u200b-\u200d\u2060\ufeff]/, 'zero-width characters, shown escaped'],
  [/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/, 'control characters, shown escaped'],
]

/**
 * The file's own lines at the passage most similar to a text that is missing, for the model to copy; empty where
 * nothing is similar.
 */
export function ownLines(content: string, searched: string): string[] {
  const place = nearestLines(content, searched)
  return place ? linesAtPlace(content, searched, place) : []
}

/**
 * The first difference of two texts, and the file's own lines there, unless the difference already shows the only one
 * in full.
 */
export function differenceAt(content: string, searched: string, place: NearestLines): string[] {
  const { difference } = place
  const own = linesAtPlace(content, searched, place)
  const isShown = own.length === 2 && own[0] === `${headingOf(place)}:` && difference.includes(`+ ${own[1]}`)
  return isShown ? difference : [...difference, ...own]
}

function linesAtPlace(content: string, searched: string, place: NearestLines): string[] {
  const { startLine, endLine } = place
  const lines = content.replace(/^\ufeff/, '').split(/\r?\n/).slice(startLine - 1, endLine)
  // The lines differ only in their endings, so a copy of them would fail again.
  if (lines.join('\n') === searched.replaceAll('\r\n', '\n').replace(/\n$/, '')) return []
  let room = MOST
  const over = lines.findIndex((line) => (room -= line.length + 1) < 0)
  const shown = lines.slice(0, over === -1 ? lines.length : Math.max(1, over))
    .map((line) => (line.length > MOST_OF_LINE
      ? `${line.slice(0, MOST_OF_LINE)}\u2026 (cut: ${line.length} characters)` : line))
  const names = UNSEEN.filter(([sign]) => sign.test(shown.join('\n'))).map(([, name]) => name)
  const rest = lines.length > shown.length ? [`\u2026 ${lines.length - shown.length} more lines`] : []
  return [`${headingOf(place)}${names.length > 0 ? ` (with ${names.join(', ')})` : ''}:`, ...shown, ...rest]
}

function headingOf({ startLine, endLine }: NearestLines): string {
  return `The file has on ${startLine >= endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`}`
}

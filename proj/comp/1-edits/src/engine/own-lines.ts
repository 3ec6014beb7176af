import { nearestLines, type NearestLines } from './nearest-lines.js'

/** Most of a passage that a hint shows, and of one line of it, in UTF-16 units. */
const MOST = 2500
const MOST_OF_LINE = 1000

/** What nobody sees, or takes for a space. */
const UNSEEN: readonly (readonly [RegExp, string])[] = [
  [/\t/, 'tabs'], [/[\u00a0\u2007\u202f]/, 'no-break spaces'],
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, 'bidirectional marks, shown escaped'],
  [/[\u200b-\u200d\u2060\ufeff]/, 'zero-width characters, shown escaped'],
  [/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/, 'control characters, shown escaped'],
]

/**
 * The file's own lines where a text nearly stands that is not in it, whole, so that they can be copied; none where
 * nothing is alike.
 */
export function ownLines(content: string, searched: string): string[] {
  const place = nearestLines(content, searched)
  return place ? linesAtPlace(content, searched, place) : []
}

/** Where two texts part, and the file's own lines there, unless its one line is in the difference as it is. */
export function differenceAt(content: string, searched: string, place: NearestLines): string[] {
  const { difference } = place
  const own = linesAtPlace(content, searched, place)
  const isShown = own.length === 2 && own[0] === `${headingOf(place)}:` && difference.includes(`+ ${own[1]}`)
  return isShown ? difference : [...difference, ...own]
}

function linesAtPlace(content: string, searched: string, place: NearestLines): string[] {
  const { startLine, endLine } = place
  const lines = content.replace(/^\ufeff/, '').split(/\r?\n/).slice(startLine - 1, endLine)
  // It differs in line endings alone: copied it would be the same again.
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

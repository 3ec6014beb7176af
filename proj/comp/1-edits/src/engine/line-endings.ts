import { alignLines } from './align-lines.js'
import { lineAt, type LineParts, linesOf } from './line-parts.js'

/** Text between two offsets; they are equal where something is put in only. */
export interface TextSpan {
  start: number
  end: number
}

/**
 * The rule of line endings (contract section 3), for text that is to stand in the place of other: models write LF
 * whatever the file has. Text that has only LF takes the endings of the lines it replaces or joins; text with a
 * carriage return is as written. Nothing else of the text changes, whether it is whole lines or parts of some.
 *
 * @param old the text that is replaced as its author wrote it, where it was quoted: with a carriage return in it the
 *   author knows the file's line endings, and `inserted` is as written, too
 */
export function fitEndings(content: string, { start, end }: TextSpan, inserted: string, old = ''): string {
  if (!inserted.includes('\n') || inserted.includes('\r') || old.includes('\r')) return inserted
  const bom = start > 0 && content.startsWith('\ufeff') ? 1 : 0
  const from = start === 0 ? 0 : Math.max(bom, content.lastIndexOf('\n', start - 1) + 1)
  const isLineStart = end === 0 || content[end - 1] === '\n'
  const to = isLineStart && inserted.endsWith('\n') ? end : end + wholeLength(content, end)
  const lines = linesOf(content.slice(from, start) + inserted + content.slice(end, to)).map(({ body }) => body)
  const endings = endingsFor(content, { start: from, end: to }, lines)
  // Behind a carriage return that stays a line feed is the rest of a CRLF.
  if (inserted.startsWith('\n') && content[start - 1] === '\r') endings[0] = '\n'
  const pieces = inserted.split('\n')
  return pieces.map((piece, index) => (index < pieces.length - 1 ? piece + endings[index] : piece)).join('')
}

/** How each of the lines ends that are to stand in the place of whole lines, or between two: never with `''`. */
export function endingsFor(content: string, { start, end }: TextSpan, bodies: readonly string[]): string[] {
  const old = linesOf(content.slice(start, end))
  const usual = usualEnding(content, { start, end }, old)
  const areAlike = old.every(({ ending }) => ending === '' || ending === usual)
  const kept = areAlike ? bodies.map(() => -1) : alignLines(old.map(({ body }) => body), bodies)
  return nearEndings(old, kept).map((ending) => ending || usual)
}

/**
 * For each new line the ending of the old line that it is, or replaces, or stands behind; that of the last one for a
 * new last line. `''` where the old line has none.
 *
 * @param kept of each new line the index of the old line that it is, or -1
 */
export function nearEndings(old: readonly LineParts[], kept: readonly number[]): string[] {
  const areKept = new Set(kept)
  let next = 0
  return kept.map((at, index) => {
    const same = old[at]
    if (same) next = at + 1
    if (same) return same.ending
    const near = areKept.has(next) ? old[Math.max(0, next - 1)] : old[next++]
    return ((index === kept.length - 1 ? undefined : near) ?? old.at(-1))?.ending ?? ''
  })
}

/**
 * A line break for where the lines at hand have none: another of the lines that are replaced; between two lines that of
 * the one before, at the beginning of a text of the one after; else the one that most lines of the text have.
 *
 * @param written the new text: what its first line ends in is taken where the text has no line break at all
 */
export function usualEnding(
  content: string, { start, end }: TextSpan, old: readonly LineParts[], written = '',
): string {
  const replaced = old.find(({ ending }) => ending !== '')
  if (replaced) return replaced.ending
  if (start === end && start > 0 && content[start - 1] === '\n') return content[start - 2] === '\r' ? '\r\n' : '\n'
  const isBeginning = start === end && (start === 0 || (start === 1 && content.startsWith('\ufeff')))
  const first = isBeginning ? lineAt(content, start).ending : ''
  if (first !== '') return first
  return content.includes('\n') ? mostUsedEnding(content) : lineAt(written, 0).ending || '\n'
}

/** LF of two that are as many. */
export function mostUsedEnding(content: string): string {
  let [crlf, lf] = [0, 0]
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) {
    if (content[at - 1] === '\r') crlf++
    else lf++
  }
  return crlf > lf ? '\r\n' : '\n'
}

function wholeLength(content: string, start: number): number {
  const { body, ending } = lineAt(content, start)
  return body.length + ending.length
}

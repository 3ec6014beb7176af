import { alignLines } from './align-lines.js'
import { lineAt, type LineParts, linesOf } from './line-parts.js'

/** Range of offsets in a text; empty for an insertion. */
export interface TextSpan {
  start: number
  end: number
}

/**
 * Gives replacement text the line endings of the file, since models write LF whatever the file has: text with LF only
 * takes the endings of the lines it replaces or joins; text with a carriage return is kept as written. Works for whole
 * lines and for parts of lines.
 *
 * @param old the replaced text as the author quoted it: a carriage return in it shows that the author knows the file's
 *   endings, so `inserted` is kept as written as well
 */
export function fitEndings(content: string, { start, end }: TextSpan, inserted: string, old = ''): string {
  if (!inserted.includes('\n') || inserted.includes('\r') || old.includes('\r')) return inserted
  const bom = start > 0 && content.startsWith('\ufeff') ? 1 : 0
  const from = start === 0 ? 0 : Math.max(bom, content.lastIndexOf('\n', start - 1) + 1)
  const isLineStart = end === 0 || content[end - 1] === '\n'
  const to = isLineStart && inserted.endsWith('\n') ? end : end + wholeLength(content, end)
  const lines = linesOf(content.slice(from, start) + inserted + content.slice(end, to)).map(({ body }) => body)
  const endings = endingsFor(content, { start: from, end: to }, lines)
  // After a carriage return that stays, a line feed completes a CRLF.
  if (inserted.startsWith('\n') && content[start - 1] === '\r') endings[0] = '\n'
  const pieces = inserted.split('\n')
  return pieces.map((piece, index) => (index < pieces.length - 1 ? piece + endings[index] : piece)).join('')
}

/** The line ending of each new whole line in the place of the old ones; never `''`. */
export function endingsFor(content: string, { start, end }: TextSpan, bodies: readonly string[]): string[] {
  const old = linesOf(content.slice(start, end))
  const usual = usualEnding(content, { start, end }, old)
  const areAlike = old.every(({ ending }) => ending === '' || ending === usual)
  const kept = areAlike ? bodies.map(() => -1) : alignLines(old.map(({ body }) => body), bodies)
  return nearEndings(old, kept).map((ending) => ending || usual)
}

/**
 * For each new line, the ending of the old line it equals, replaces or follows; a new last line gets that of the old
 * last one. `''` where the old line has none.
 *
 * @param kept for each new line the index of its old line, or -1
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
 * The line ending to use where the lines at hand have none: that of another replaced line; else of the line before, at
 * the start of the text of the line after; else the most frequent one of the text.
 *
 * @param written the new text: its first line ending is used where `content` has no line break at all
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

/** The more frequent line ending; LF where both are equally frequent. */
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

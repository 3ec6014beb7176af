import { withoutMark } from '../../../0-text/src/index.js'

/** Most characters shown of a line. */
const MOST_CHARS = 2000
/** More than can be shown on either side. */
const WINDOW = MOST_CHARS + 100

/** A line as text, at most some 2,000 characters of it around the place of the match. */
export function lineExcerpt(line: string, at: number): string {
  if (line.length <= MOST_CHARS) return line
  const from = Math.max(0, at - WINDOW)
  const window = line.slice(from, at + WINDOW)
  return cutLine(Buffer.from(window), Buffer.byteLength(window.slice(0, at - from)), 0, from > 0)
}

/**
 * A line as text, at most about 2,000 characters around the match; `…` stands for what is cut.
 *
 * @param line bytes of the line, including a CR of its ending
 * @param at byte offset of the match, `length` bytes long
 * @param cutBefore whether the line begins before `line`
 */
export function cutLine(line: Buffer, at: number, length: number, cutBefore: boolean): string {
  const end = line.at(-1) === 13 ? line.length - 1 : line.length
  if (!cutBefore && end <= MOST_CHARS) return withoutMark(line.toString('utf8', 0, end))
  const match = line.toString('utf8', at, Math.min(end, at + length))
  const around = Math.max(0, MOST_CHARS - match.length)
  // A character has at most four bytes; each side gets half of `around`, and what the other side does not use.
  const beforeAll = line.toString('utf8', boundary(line, at - 4 * around), at)
  const afterAll = line.toString('utf8', at + length, boundary(line, Math.min(end, at + length + 4 * around)))
  const beforeChars = Math.max(Math.floor(around / 2), around - afterAll.length)
  const before = lastChars(withoutMark(beforeAll), beforeChars)
  const after = firstChars(afterAll, around - before.length)
  const markLength = line.toString('utf8', 0, 3) === '\ufeff' ? 3 : 0
  const cutLeft = cutBefore || Buffer.byteLength(before) < at - markLength
  const cutRight = Buffer.byteLength(after) < end - at - length
  return `${cutLeft ? '…' : ''}${before}${match}${after}${cutRight ? '…' : ''}`
}

/** The offset, moved back to the start of its character. */
function boundary(bytes: Buffer, offset: number): number {
  let at = Math.max(0, offset)
  for (let steps = 0; steps < 3 && at > 0 && at < bytes.length && (bytes[at]! & 0xc0) === 0x80; steps++) at--
  return at
}

function lastChars(text: string, count: number): string {
  if (text.length <= count) return text
  const cut = text.slice(text.length - count)
  return /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut
}

function firstChars(text: string, count: number): string {
  if (text.length <= count) return text
  const cut = text.slice(0, count)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}

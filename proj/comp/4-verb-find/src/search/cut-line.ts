/** Characters shown of a line. */
const MOST_CHARS = 2000

/**
 * A line as text, at most some 2,000 characters of it around the match; `…` stands for what is left out.
 *
 * @param line bytes of the line, a CR of its ending included
 * @param at byte offset of the match, `length` bytes long
 * @param cutBefore the line goes on to the left of `line`
 */
export function cutLine(line: Buffer, at: number, length: number, cutBefore: boolean): string {
  const end = line.at(-1) === 13 ? line.length - 1 : line.length
  if (!cutBefore && end <= MOST_CHARS) return withoutBom(line.toString('utf8', 0, end))
  const match = line.toString('utf8', at, Math.min(end, at + length))
  const around = Math.max(0, MOST_CHARS - match.length)
  // No character takes more than four bytes; half of `around` is for either side, and what one side leaves.
  const beforeAll = line.toString('utf8', boundary(line, at - 4 * around), at)
  const afterAll = line.toString('utf8', at + length, boundary(line, Math.min(end, at + length + 4 * around)))
  const beforeChars = Math.max(Math.floor(around / 2), around - afterAll.length)
  const before = lastChars(withoutBom(beforeAll), beforeChars)
  const after = firstChars(afterAll, around - before.length)
  const cutLeft = cutBefore || Buffer.byteLength(before) < at - (startsWithBom(line) ? 3 : 0)
  const cutRight = Buffer.byteLength(after) < end - at - length
  return `${cutLeft ? '…' : ''}${before}${match}${after}${cutRight ? '…' : ''}`
}

/** The offset, moved back to the start of the character it is in. */
function boundary(bytes: Buffer, offset: number): number {
  let at = Math.max(0, offset)
  for (let steps = 0; steps < 3 && at > 0 && at < bytes.length && (bytes[at]! & 0xc0) === 0x80; steps++) at--
  return at
}

function startsWithBom(line: Buffer): boolean {
  return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf
}

function withoutBom(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
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

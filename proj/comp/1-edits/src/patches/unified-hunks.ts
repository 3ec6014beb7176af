import type { Hunk, HunkLine } from './patch.js'

const HEADER = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/s

/**
 * Reads the hunks that begin at a line. Where the counts of a header are right, they end the hunk; where they are
 * wrong, it extends to the next header, since models get headers right more often than counts.
 *
 * @returns the hunks, and the first line behind them
 */
export function readHunks(lines: readonly string[], from: number): { hunks: Hunk[]; next: number } {
  const hunks: Hunk[] = []
  let at = from
  while (lines[at]?.startsWith('@@') === true) {
    const { hunk, next } = readHunk(lines, at)
    if (hunk.lines.some(({ sign }) => sign !== ' ')) hunks.push(hunk)
    at = next
  }
  return { hunks, next: at }
}

function readHunk(lines: readonly string[], at: number): { hunk: Hunk; next: number } {
  const line = lines[at] ?? ''
  const [header, oldStart, oldCount = '1', newStart, newCount = '1'] = HEADER.exec(line) ?? []
  const hunk: Hunk = { line: at + 1, lines: [], anchors: [], atEnd: false }
  if (header === undefined) {
    const anchor = line.replace(/^@@+(?:[^@]*-\d[^@]*@@+)?/, '').replace(/\s@@+\s*$/, '').trim()
    const anchors = anchor === '' || anchor === '...' ? [] : [anchor]
    const body = openBody(lines, at + 1)
    return { hunk: { ...hunk, ...blankEnd(body), anchors, lines: body.lines }, next: body.next }
  }
  const counted = countedBody(lines, at + 1, Number(oldCount), Number(newCount))
  const body = counted ?? openBody(lines, at + 1)
  const range = { oldStart: Number(oldStart), newStart: Number(newStart), countsRight: counted !== undefined }
  return { hunk: { ...hunk, ...blankEnd(body), lines: body.lines, range }, next: body.next }
}

interface Body {
  lines: HunkLine[]
  next: number
  /** Number of unsigned blank lines behind it. */
  blanks?: number
}

function blankEnd({ blanks = 0 }: Body): { blankEnd?: number } {
  return blanks > 0 ? { blankEnd: blanks } : {}
}

/** The hunk's lines by the counts of its header; `undefined` where the lines do not fit them. */
function countedBody(lines: readonly string[], from: number, oldCount: number, newCount: number): Body | undefined {
  const body: HunkLine[] = []
  let [oldLeft, newLeft, at] = [oldCount, newCount, from]
  for (; oldLeft > 0 || newLeft > 0; at++) {
    const line = lines[at]
    const read = line === undefined ? undefined : hunkLine(line)
    if (line?.startsWith('\\ ') === true && body.length > 0) markBare(body)
    else if (read === undefined) return undefined
    else {
      body.push(read)
      if (read.sign !== '+') oldLeft--
      if (read.sign !== '-') newLeft--
    }
    if (oldLeft < 0 || newLeft < 0) return undefined
  }
  if (lines[at]?.startsWith('\\ ') === true) {
    markBare(body)
    at++
  }
  return goesOn(lines, at) ? undefined : { lines: body, next: at }
}

/** Whether more lines of the hunk follow its counted end, also after blank lines: git would silently drop them. */
function goesOn(lines: readonly string[], end: number): boolean {
  let at = end
  while (at < lines.length && (lines[at] ?? '').trim() === '') at++
  return /^[-+ ]/.test(lines[at] ?? '') && !endsHunk(lines, at)
}

/** The lines up to the next header, the end of the text, or text that no hunk line follows. */
function openBody(lines: readonly string[], from: number): Body {
  const body: HunkLine[] = []
  // Up to the last line with a sign; the rest is no part of the hunk.
  let [signed, end] = [0, from]
  for (let at = from; at < lines.length && !endsHunk(lines, at); at++) {
    const line = lines[at] ?? ''
    if (line.startsWith('\\ ')) markBare(body)
    else body.push(hunkLine(line) ?? { sign: ' ', text: line })
    if (/^[-+ \\]/.test(line)) [signed, end] = [body.length, at + 1]
  }
  const blanks = body.slice(signed).findIndex(({ text }) => text.trim() !== '')
  return { lines: body.slice(0, signed), next: end, blanks: blanks === -1 ? body.length - signed : blanks }
}

/**
 * The line parsed; `undefined` where it is none of a hunk. Empty lines are context: GNU diff and models drop the space.
 */
function hunkLine(line: string): HunkLine | undefined {
  const sign = line[0]
  if (sign === ' ' || sign === '-' || sign === '+') return { sign, text: line.slice(1) }
  return line === '' || line === '\r' ? { sign: ' ', text: line } : undefined
}

function markBare(body: HunkLine[]): void {
  const last = body.at(-1)
  if (last !== undefined) last.bare = true
}

/** Whether a header, or the signature at the end of a mail, begins here. */
function endsHunk(lines: readonly string[], at: number): boolean {
  const line = lines[at] ?? ''
  if (line.startsWith('@@') || line.startsWith('diff --git ') || line.startsWith('Index: ')) return true
  if (/^--- \S/.test(line) && /^\+\+\+ \S/.test(lines[at + 1] ?? '')) return true
  return /^-- ?\r?$/.test(line) && /^\d+\.\d/.test(lines[at + 1] ?? '')
}

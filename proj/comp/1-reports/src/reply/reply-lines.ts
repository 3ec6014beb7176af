import { inert } from '../block-frames.js'
import { oneLine } from '../safe-text.js'
import { tokensAtMost } from './tokens-at-most.js'

/**
 * Prefix of each line from files, commands and models: indented so deep that nothing is live, and with a mark that the
 * reply's own lines lack.
 */
export const MARK = '    | '

/** Longest line to show in full, in characters; of a longer one the start and the end. */
export const LONGEST_LINE = 2000
const BYTES_OF_CHARACTER = 4

/** Lines of the reply, and the most tokens they take, line breaks included. */
export interface Lines {
  lines: readonly string[]
  tokens: number
}

export const NO_LINES: Lines = { lines: [], tokens: 0 }

/** Lines of the reply's own text, without a mark. */
export function frameLines(given: readonly string[]): Lines {
  const lines = given.map(inert)
  return { lines, tokens: lines.reduce((sum, line) => sum + lineTokens(line), 0) }
}

export function joined(parts: readonly Lines[]): Lines {
  return { lines: parts.flatMap(({ lines }) => lines), tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0) }
}

export function lineTokens(line: string): number {
  return tokensAtMost(line) + 1
}

/** A line of content, escaped, and shortened in the middle if extremely long. */
export function safeLine(given: string): string {
  const line = given.toWellFormed()
  if (line.length <= LONGEST_LINE) return oneLine(line, LONGEST_LINE * BYTES_OF_CHARACTER * 2)
  const half = LONGEST_LINE / 2
  const start = wholeStart(line.slice(0, half))
  const end = wholeEnd(line.slice(-half))
  const left = line.length - start.length - end.length
  return `${oneLine(start, half * 8)} … ${left} characters left out … ${oneLine(end, half * 8)}`
}

/** Drops half of a surrogate pair at a cut. */
export function wholeStart(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

function wholeEnd(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text
}

/** A line of content with its mark. */
export function contentLine(line: string): string {
  return line === '' ? MARK.trimEnd() : inert(`${MARK}${safeLine(line)}`)
}

/** Which lines to keep when cutting: those of the start, of both ends, or of the end. */
export type Keeps = 'start' | 'ends' | 'end'

const SHARE_OF_END: Readonly<Record<Keeps, number>> = { start: 0, ends: 0.35, end: 0.7 }

/** Extra tokens that an omission's text may take, as its numbers vary. */
const ROOM_OF_NUMBERS = 8

/** How to cut lines, and how to render them. */
export interface LineCut {
  keeps: Keeps
  /** Prefix each line with `MARK`, as in a reply; not needed where lines cannot be confused. */
  isMarked: boolean
  /** Lines in place of omitted ones (1-based, inclusive): how many, and the call to read on. */
  omission(from: number, to: number): readonly string[]
}

/**
 * As many whole lines as fit, of the start and the end.
 *
 * @returns `left`: omitted lines, 1-based, inclusive
 */
export function fitLines(
  all: readonly string[], tokens: number, { keeps, isMarked, omission }: LineCut,
): Lines & { left?: { from: number; to: number } } {
  const whole = takeLines(all, tokens, isMarked)
  if (whole.count === all.length) return { lines: whole.lines, tokens: whole.tokens }
  const reserve = Math.max(
    ...[omission(1, all.length), omission(all.length, all.length + 1)].map((lines) => frameLines(lines).tokens),
  ) + ROOM_OF_NUMBERS
  const room = Math.max(0, tokens - reserve)
  const end = takeLines(all.toReversed(), Math.floor(room * SHARE_OF_END[keeps]), isMarked)
  const start = takeLines(all, room - end.tokens, isMarked)
  const from = start.count + 1
  const to = all.length - end.count
  const between = frameLines(omission(from, to))
  if (start.tokens + between.tokens + end.tokens > tokens) return { ...NO_LINES, left: { from: 1, to: all.length } }
  return {
    ...joined([start, between, { lines: end.lines.toReversed(), tokens: end.tokens }]), left: { from, to },
  }
}

/** The first lines that fit, with their count. */
function takeLines(all: readonly string[], tokens: number, isMarked: boolean): Lines & { count: number } {
  const lines: string[] = []
  let sum = 0
  for (const each of all) {
    const line = isMarked ? contentLine(each) : safeLine(each)
    const more = lineTokens(line)
    if (sum + more > tokens) break
    lines.push(line)
    sum += more
  }
  return { lines, tokens: sum, count: lines.length }
}

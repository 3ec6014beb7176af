import { type SearchedLine, compareLine } from './compare-line.js'
import { lineAt, trimLineEnd, indentLength } from './line-parts.js'
import { foldUnits, hasLookAlikeUnits } from './look-alikes.js'
import type { Probe } from './probe.js'

/** Part of a text: offsets of a line's start, and of a line's start or the end of the text. */
export interface Span {
  from: number
  to: number
}

/** Units that may be gone over for candidates, for each unit of the text, before another way is taken. */
const WORK = 8
/** What a line of a candidate counts as. */
const LINE = 16

/**
 * Starts of the passages whose line with the probe is like the one searched for, in order. Quick where that line is
 * rare in the text.
 *
 * @returns `undefined` once it turns out that it is not
 */
export function startsByProbe(
  text: string, { from, to }: Span, searched: readonly SearchedLine[], { piece, line }: Probe,
): number[] | undefined {
  const starts: number[] = []
  const wanted = searched[line]
  if (!wanted) return starts
  let work = (to - from) * WORK
  for (let at = text.indexOf(piece, from); at !== -1 && at < to;) {
    const lineStart = Math.max(from, text.lastIndexOf('\n', at - 1) + 1)
    const { body, ending } = lineAt(text, lineStart)
    if (compareLine(body, wanted)) {
      const start = linesBefore(text, lineStart, line, from)
      if (start !== undefined) starts.push(start)
      work -= lineStart - (start ?? from) + searched.length * LINE
      if (work < 0) return undefined
    }
    const next = lineStart + body.length + ending.length
    at = next >= to ? -1 : text.indexOf(piece, next)
  }
  return starts
}

/** Start of the line `count` lines before the one at `offset`; `undefined` where there are fewer after `from`. */
function linesBefore(text: string, offset: number, count: number, from: number): number | undefined {
  let start = offset
  for (let left = count; left > 0; left--) {
    if (start <= from) return undefined
    start = start - 2 < from ? from : Math.max(from, text.lastIndexOf('\n', start - 2) + 1)
  }
  return start
}

/** Starts of the passages all of whose lines are alike but for space and look-alikes, in order; linear. */
export function startsByLines(text: string, { from, to }: Span, searched: readonly SearchedLine[]): number[] {
  const numbers = new Map<string, number>()
  const wanted = searched.map(({ folded }) => {
    const number = numbers.get(folded) ?? numbers.size + 1
    numbers.set(folded, number)
    return number
  })
  const borders = bordersOf(wanted)
  const lineStarts: number[] = []
  const starts: number[] = []
  let matched = 0
  const isPlain = !hasLookAlikeUnits(text.slice(from, to))
  for (let at = from; at < to;) {
    const { body, ending } = lineAt(text, at)
    lineStarts.push(at)
    at += body.length + ending.length
    matched = extend(wanted, borders, matched, numbers.get(bare(isPlain ? body : foldUnits(body))) ?? 0)
    if (matched === wanted.length) starts.push(lineStarts[lineStarts.length - matched] ?? from)
  }
  return starts
}

function bare(body: string): string {
  const line = trimLineEnd(body)
  return line.slice(indentLength(line))
}

/** For each length of a beginning of `items`, the length of the longest shorter one it ends with (Knuth et al.). */
function bordersOf(items: readonly number[]): number[] {
  const borders = [0, 0]
  for (let length = 2; length <= items.length; length++) {
    borders[length] = extend(items, borders, borders[length - 1] ?? 0, items[length - 1] ?? 0)
  }
  return borders
}

function extend(items: readonly number[], borders: readonly number[], matched: number, item: number): number {
  let length = matched
  while (length > 0 && items[length] !== item) length = borders[length] ?? 0
  return items[length] === item ? length + 1 : length
}

import { type SearchedLine, compareLine } from './compare-line.js'
import { lineAt, trimLineEnd, indentLength } from './line-parts.js'
import { foldUnits, hasLookAlikeUnits } from './look-alikes.js'
import type { Probe } from './probe.js'

/** Part of a text, from the start of a line to the start of a line or the end of the text; offsets. */
export interface Span {
  from: number
  to: number
}

/**
 * UTF-16 units that may be scanned for candidates, as a multiple of the text's length, before the slower linear search
 * takes over.
 */
const WORK = 8
/** Cost of comparing one line of a candidate, in such units. */
const LINE = 16

/**
 * Offsets of the passages whose line with the probe is like the searched one, in order. Fast where the probe is rare in
 * the text.
 *
 * @returns `undefined` as soon as the probe turns out too frequent
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

/** Start of the line `count` lines above the one at `offset`; `undefined` where that is before `from`. */
function linesBefore(text: string, offset: number, count: number, from: number): number | undefined {
  let start = offset
  for (let left = count; left > 0; left--) {
    if (start <= from) return undefined
    start = start - 2 < from ? from : Math.max(from, text.lastIndexOf('\n', start - 2) + 1)
  }
  return start
}

/** Offsets of the passages whose lines all match but for space and look-alikes, in order; linear. */
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

/**
 * Border lengths of Knuth, Morris and Pratt: for each prefix of `items`, the length of the longest shorter prefix it
 * ends with.
 */
export function bordersOf<T>(items: readonly T[]): number[] {
  const borders = [0, 0]
  for (let length = 2; length <= items.length; length++) {
    borders[length] = extend(items, borders, borders[length - 1] ?? 0, items[length - 1])
  }
  return borders
}

/** Length of the matched prefix of `items` after one more item. */
export function extend<T>(
  items: readonly T[], borders: readonly number[], matched: number, item: T | undefined,
): number {
  let length = matched
  while (length > 0 && items[length] !== item) length = borders[length] ?? 0
  return items[length] === item ? length + 1 : length
}

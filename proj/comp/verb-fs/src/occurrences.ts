import { textFinder } from './text-search.js'

export interface Occurrences {
  /** Counted from left to right without overlap. */
  count: number
  /** 1-based lines on which the first 20 of them begin. */
  lines: number[]
  /** 1-based line of the first candidate that overlaps the one before it. */
  overlapLine?: number
}

const LISTED = 20

/** Where `wanted`, which is not empty, occurs in `content`. Linear, overlaps or not. */
export function findOccurrences(content: string, wanted: string): Occurrences {
  const lineOf = lineCounter(content)
  const indexFrom = textFinder(content, wanted)
  const found: Occurrences = { count: 0, lines: [] }
  let at = indexFrom(0)
  while (at !== -1) {
    found.count++
    if (found.lines.length < LISTED) found.lines.push(lineOf(at))
    const end = at + wanted.length
    let next = indexFrom(found.overlapLine === undefined ? at + 1 : end)
    if (next !== -1 && next < end) {
      found.overlapLine = lineOf(next)
      next = indexFrom(end)
    }
    at = next
  }
  return found
}

/** 1-based line of an offset; offsets must be asked for in ascending order. */
export function lineCounter(content: string): (offset: number) => number {
  let line = 1
  let from = 0
  return (offset) => {
    for (;;) {
      const newline = content.indexOf('\n', from)
      if (newline === -1 || newline >= offset) return line
      line++
      from = newline + 1
    }
  }
}

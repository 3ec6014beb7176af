import { textFinder } from './text-search.js'

export interface Occurrences {
  /** Non-overlapping occurrences, counted from left to right. */
  count: number
  /** Offsets of the first 20. */
  starts: number[]
  /** Offset of the first occurrence that overlaps the one before it. */
  overlap?: number
}

const LISTED = 20

/** Finds all occurrences of `wanted` (not empty) in `content`; linear, also where they overlap. */
export function findOccurrences(content: string, wanted: string): Occurrences {
  const indexFrom = textFinder(content, wanted)
  const occurrences: Occurrences = { count: 0, starts: [] }
  let at = indexFrom(0)
  while (at !== -1) {
    occurrences.count++
    if (occurrences.starts.length < LISTED) occurrences.starts.push(at)
    const end = at + wanted.length
    let next = indexFrom(occurrences.overlap === undefined ? at + 1 : end)
    if (next !== -1 && next < end) {
      occurrences.overlap = next
      next = indexFrom(end)
    }
    at = next
  }
  return occurrences
}

/** 1-based line numbers of ascending offsets. */
export function linesAt(content: string, offsets: readonly number[]): number[] {
  let line = 1
  let from = 0
  return offsets.map((offset) => {
    for (;;) {
      const newline = content.indexOf('\n', from)
      if (newline === -1 || newline >= offset) return line
      line++
      from = newline + 1
    }
  })
}

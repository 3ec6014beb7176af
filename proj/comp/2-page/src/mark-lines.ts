import type { PageItem } from './run-page-model.js'

/** What a line of the answer belongs to. */
export interface MarkedLine {
  /** Items whose first line it is. */
  begins?: PageItem[]
  /** The innermost item it lies in. */
  inside?: PageItem
}

/** For each line of an answer (index 0 is line 1) what was read out of it there; lines of nothing are left out. */
export function markLines(count: number, items: readonly PageItem[]): (MarkedLine | undefined)[] {
  const marks: (MarkedLine | undefined)[] = Array.from({ length: count })
  for (const item of items) {
    const [first, last] = [Math.min(Math.max(1, item.startLine), Math.max(1, count)), Math.min(item.endLine, count)]
    for (let line = first; line <= last; line++) {
      const mark = marks[line - 1] ??= {}
      const other = mark.inside
      if (!other || item.endLine - item.startLine <= other.endLine - other.startLine) mark.inside = item
      if (line === first) (mark.begins ??= []).push(item)
    }
  }
  return marks
}

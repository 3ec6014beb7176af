import type { DiffHunk } from './run-page-model.js'

export type LineKind = 'same' | 'removed' | 'added' | 'note'

export interface DiffLine {
  kind: LineKind
  text: string
  /** 1-based number in the old or new file. */
  number?: number
  /** Of a line that has a counterpart: what differs, in UTF-16 units. */
  changed?: { start: number; end: number }
}

/** A row of the view side by side; a side is absent where the other has a line more. */
export interface DiffRow {
  left?: DiffLine
  right?: DiffLine
}

/** Longer lines are not looked into. */
const LONGEST = 2000

/**
 * The lines of a hunk beside each other: of a changed passage the first old one beside the first new one, and so on.
 */
export function rowsOf(hunk: DiffHunk): DiffRow[] {
  const rows: DiffRow[] = []
  let [removed, added]: [DiffLine[], DiffLine[]] = [[], []]
  let [oldNumber, newNumber] = [hunk.oldStart, hunk.newStart]
  const flush = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [left, right] = [removed[at], added[at]]
      if (left && right) markChange(left, right)
      rows.push({ ...(left && { left }), ...(right && { right }) })
    }
    removed = []
    added = []
  }
  for (const line of hunk.lines) {
    const text = line.slice(1)
    if (line.startsWith('-')) removed.push({ kind: 'removed', text, number: oldNumber++ })
    else if (line.startsWith('+')) added.push({ kind: 'added', text, number: newNumber++ })
    else if (line.startsWith('\\')) {
      // It is about the line before it.
      (added.length > 0 ? added : removed).push({ kind: 'note', text: text.trim() })
    } else {
      flush()
      rows.push({
        left: { kind: 'same', text, number: oldNumber++ }, right: { kind: 'same', text, number: newNumber++ },
      })
    }
  }
  flush()
  return rows
}

/** The same rows in one column: of each changed passage the old lines, then the new ones. */
export function inlineOf(rows: readonly DiffRow[]): DiffRow[] {
  const lines: DiffRow[] = []
  let added: DiffRow[] = []
  for (const { left, right } of rows) {
    if (left?.kind === 'same') {
      lines.push(...added, { left, ...(right && { right }) })
      added = []
      continue
    }
    if (left) lines.push({ left })
    if (right) added.push({ right })
  }
  return [...lines, ...added]
}

/** Marks what lies between the common beginning and the common end of two lines; nothing where little is common. */
function markChange(left: DiffLine, right: DiffLine): void {
  const [a, b] = [left.text, right.text]
  if (left.kind === 'note' || right.kind === 'note' || a.length > LONGEST || b.length > LONGEST) return
  const most = Math.min(a.length, b.length)
  let start = 0
  while (start < most && a[start] === b[start]) start++
  let tail = 0
  while (tail < most - start && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  if ((start + tail) * 3 < Math.max(a.length, b.length)) return
  if (a.length - tail > start) left.changed = { start, end: a.length - tail }
  if (b.length - tail > start) right.changed = { start, end: b.length - tail }
}

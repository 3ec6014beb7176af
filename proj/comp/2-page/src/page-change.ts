import { diffArrays } from 'diff'
import type { FileChange } from '../../0-contracts/src/index.js'
import { shortPath } from '../../1-reports/src/index.js'
import type { DiffHunk, PageChange } from './run-page-model.js'

/** Lines around what changed. */
const CONTEXT = 3
/** Edits after which two texts count as entirely different: the search takes the square of it. */
const MAX_EDITS = 2000
/** Lines kept of one change, and UTF-16 units of one line: nobody reads more. */
const MAX_LINES = 20_000
const MAX_LENGTH = 100_000
const NOT_SHOWN = 'Not text, or too large to be shown.'

/**
 * What a block did to one path, with the lines that changed.
 *
 * @param change with its texts, where they are known
 * @param roots paths below them are shown relative
 */
export function pageChange(change: FileChange, roots: readonly string[] = []): PageChange {
  const { kind, path, from, before, after } = change
  const named = { kind, path: shortPath(path, roots), ...(from !== undefined && { from: shortPath(from, roots) }) }
  const plain = { ...named, added: 0, removed: 0, hunks: [] }
  switch (kind) {
    case 'create-directory':
    case 'delete-directory':
    case 'move': return plain
    case 'create': return after === undefined ? { ...plain, note: NOT_SHOWN }
      : { ...named, ...differenceOf('', after) }
    case 'delete': return before === undefined ? { ...plain, note: NOT_SHOWN }
      : { ...named, ...differenceOf(before, '') }
    case 'modify': {
      if (before === undefined || after === undefined) return { ...plain, note: NOT_SHOWN }
      if (before === after) return { ...plain, note: 'The text is as it was.' }
      return { ...named, ...differenceOf(before, after) }
    }
  }
}

/** How two texts differ that are of no file. @param name what they are of */
export function textChange(name: string, before: string, after: string): PageChange {
  return { kind: 'modify', path: name, ...differenceOf(before, after) }
}

type Difference = Pick<PageChange, 'added' | 'removed' | 'hunks' | 'note'>

function differenceOf(before: string, after: string): Difference {
  // In a file of CRLF lines only, each line would end in an escape.
  const strip = isAllCrlf(before) && isAllCrlf(after)
  const [oldLines, newLines] = [linesOf(before, strip), linesOf(after, strip)]
  // Most edits are small: what both have at the beginning and at the end is not searched.
  const most = Math.min(oldLines.length, newLines.length)
  let start = 0
  while (start < most && oldLines[start] === newLines[start]) start++
  let end = 0
  while (end < most - start && oldLines.at(-1 - end) === newLines.at(-1 - end)) end++
  const [oldMiddle, newMiddle] = [
    oldLines.slice(start, oldLines.length - end), newLines.slice(start, newLines.length - end),
  ]
  const parts = oldMiddle.length === 0 || newMiddle.length === 0 ? undefined
    : diffArrays(oldMiddle, newMiddle, { maxEditLength: MAX_EDITS })
  const marked = parts?.flatMap(({ value, added, removed }) =>
    value.map((line) => `${added ? '+' : removed ? '-' : ' '}${line}`))
    ?? [...oldMiddle.map((line) => `-${line}`), ...newMiddle.map((line) => `+${line}`)]
  const lead = Math.min(start, CONTEXT)
  const lines = [
    ...oldLines.slice(start - lead, start).map(same), ...marked,
    ...oldLines.slice(oldLines.length - end).slice(0, CONTEXT).map(same),
  ]
  return bounded(toHunks(lines, start - lead), countOf(marked, '+'), countOf(marked, '-'))
}

function same(line: string): string {
  return ` ${line}`
}

function countOf(lines: readonly string[], sign: string): number {
  return lines.reduce((sum, line) => (line.startsWith(sign) ? sum + 1 : sum), 0)
}

/** A last line without a line break is another than one with it: it has a mark behind it. */
function linesOf(text: string, strip: boolean): string[] {
  if (text === '') return []
  const lines = text.split(strip ? '\r\n' : '\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, last + NO_BREAK]
}

/** No line holds a line break. */
const NO_BREAK = '\n'
const NO_BREAK_WORDS = '\\ No line break at the end'

/** Cuts unchanged lines that are far from every change. @param before lines of the file before the first */
function toHunks(lines: readonly string[], before: number): DiffHunk[] {
  const hunks: DiffHunk[] = []
  let [oldNumber, newNumber] = [before + 1, before + 1]
  let open: { oldStart: number; newStart: number; lines: string[] } | undefined
  const keep = nearChanges(lines)
  for (const [index, line] of lines.entries()) {
    const sign = line[0]
    if (keep[index]) {
      if (!open) {
        open = { oldStart: oldNumber, newStart: newNumber, lines: [] }
        hunks.push(open)
      }
      const isLast = line.endsWith(NO_BREAK)
      open.lines.push(isLast ? line.slice(0, -NO_BREAK.length) : line)
      if (isLast && sign !== ' ') open.lines.push(NO_BREAK_WORDS)
    } else open = undefined
    if (sign !== '+') oldNumber++
    if (sign !== '-') newNumber++
  }
  return hunks
}

function nearChanges(lines: readonly string[]): boolean[] {
  const keep: boolean[] = Array.from({ length: lines.length }, () => false)
  for (const [index, line] of lines.entries()) {
    if (line.startsWith(' ')) continue
    for (let at = Math.max(0, index - CONTEXT); at <= Math.min(lines.length - 1, index + CONTEXT); at++) keep[at] = true
  }
  return keep
}

function bounded(hunks: readonly DiffHunk[], added: number, removed: number): Difference {
  let left = MAX_LINES
  const kept = hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, left)
      .map((line) => (line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line))
    left -= lines.length
    return lines.length === 0 ? [] : [{ ...hunk, lines }]
  })
  const isCut = left === 0 || hunks.some(({ lines }) => lines.some((line) => line.length > MAX_LENGTH))
  return { added, removed, hunks: kept, ...(isCut && { note: 'Too long to be shown as a whole.' }) }
}

function isAllCrlf(text: string): boolean {
  return text === '' || (text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text))
}

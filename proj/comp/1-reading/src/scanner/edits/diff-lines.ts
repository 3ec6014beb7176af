import { stripColumns } from '../columns.js'
import { emitEdit } from './edit-items.js'
import { beginsGitDiff } from './edit-markers.js'
import type { DiffStart, OpenDiff } from './edit-state.js'
import { leavesFence } from '../fence-edge.js'
import { lineError } from '../items.js'
import type { ScanState } from '../scan-state.js'

/** Lines between files and hunks of git's extended diffs. */
const HEADER = new RegExp('^(?:diff --git |index [0-9a-f]|--- |\\+\\+\\+ |(?:new|deleted) file mode |(?:old|new) mode '
  + '|(?:dis)?similarity index |(?:rename|copy) (?:from|to) |Binary files |GIT binary patch|Index: |={20,}$)')
const CHANGE = /^(?:(?:new|deleted) file mode |old mode |rename from |copy from |Binary files |GIT binary patch)/
const HUNK = /^@@(?: -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@)?/

/** Opens a diff with the first line `first`; the current line, which proves that it is one, is read next. */
export function openDiff(s: ScanState, first: DiffStart): void {
  s.leaveProse()
  s.edit = {
    format: 'unified', startLine: first.line, start: first.start, column: first.column, lines: [first.text], errors: [],
    blank: false, inFence: s.fence !== undefined, old: 0, new: 0, changes: false,
  }
}

export function diffLine(s: ScanState, edit: OpenDiff): number {
  const from = stripColumns(s.region, s.at, s.end, edit.column)
  const isOver = (edit.inFence && leavesFence(s, s.fence!))
    || (!continues(edit, s.region.slice(from, Math.min(s.end, from + 100))) && !edit.inFence)
  if (isOver) {
    endDiff(s, edit, s.line - 1, s.abs(s.lineStart))
    return s.at
  }
  edit.lines.push(s.region.slice(from, s.next))
  return -1
}

/** Whether a line continues the diff; counts it. Where the counts of a hunk are wrong, the signs decide. */
function continues(edit: OpenDiff, line: string): boolean {
  const hunk = HUNK.exec(line)
  if (hunk) {
    edit.old = hunk[0] === '@@' ? 0 : Number(hunk[1] ?? 1)
    edit.new = hunk[0] === '@@' ? 0 : Number(hunk[2] ?? 1)
    edit.changes = true
    return true
  }
  const open = edit.old > 0 || edit.new > 0
  const sign = line.charAt(0)
  if (edit.blank && sign !== '') {
    edit.blank = false
    // The counts are too small, or text follows the diff: that may begin with a list, but with no other signs.
    if (sign !== '\\' && sign !== ' ' && !/^[-+](?![-+ ])/.test(line) && !HEADER.test(line)) return false
  }
  if (CHANGE.test(line)) edit.changes = true
  if (beginsGitDiff(line) || (!open && HEADER.test(line))) {
    edit.old = 0
    edit.new = 0
    return true
  }
  if (!edit.changes) return false
  if (sign === '\\') return true
  if (sign === '' && !open) {
    edit.blank = true
    return true
  }
  if (sign !== '' && sign !== ' ' && sign !== '+' && sign !== '-') return false
  if (sign !== '+') edit.old--
  if (sign !== '-') edit.new--
  return true
}

/** The diff ended before the current line: by itself, or with its fence or text. */
function endDiff(s: ScanState, edit: OpenDiff, endLine: number, end: number): void {
  s.edit = undefined
  let last = endLine
  // Blank lines behind a diff outside a fence belong to the text.
  while (!edit.inFence && edit.lines.at(-1)?.trim() === '') {
    edit.lines.pop()
    last--
  }
  if (!edit.changes && edit.errors.length === 0) {
    edit.errors.push(lineError('INVALID_EDIT', edit.startLine, 'The diff holds no hunk and no other change',
      'Write --- a/path, +++ b/path, and hunks that begin with @@.', edit.lines[0]!.trimEnd().length))
  }
  emitEdit(s, edit, { format: 'unified', patch: edit.errors.length > 0 ? '' : edit.lines.join('') }, last, end)
}

/**
 * The text has ended with the diff open: it was cut off, unless it is outside a fence and its last hunk is complete.
 */
export function endDiffAtEnd(s: ScanState, edit: OpenDiff): void {
  if (edit.inFence || edit.old > 0 || edit.new > 0) {
    const message = edit.inFence ? `The fence of the diff of line ${edit.startLine} is not closed`
      : 'The last hunk of this diff has fewer lines than its header says'
    const hint = 'Write the whole diff again in a diff fence, and close the fence.'
    edit.errors.push(lineError('UNCLOSED_BLOCK', edit.startLine, message, hint))
  }
  endDiff(s, edit, s.line, s.abs(s.region.length))
}

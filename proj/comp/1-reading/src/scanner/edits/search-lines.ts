import { skipIndent, stripColumns } from '../columns.js'
import { emitEdit } from './edit-items.js'
import { DIVIDER, NEAR_REPLACE, readSearchMarker, replaceMarkerLength, type SearchMarker } from './edit-markers.js'
import { isNearPath, otherPathIn, pathOfInfo, pathOfLine } from './edit-paths.js'
import type { OpenSearch } from './edit-state.js'
import { linesAbove } from './lines-above.js'
import { lineError, type ScanError } from '../items.js'
import type { ScanState } from '../scan-state.js'

const SHAPE =
  'Write the path alone on a line, then <<<<<<< SEARCH, the old lines, =======, the new lines, >>>>>>> REPLACE.'

/** Opens the SEARCH/REPLACE block with its marker at `at`; with an inexact marker it is recognised but never run. */
export function openSearch(s: ScanState, marker: SearchMarker, at: number, column: number): number {
  s.leaveProse()
  const errors: ScanError[] = []
  const error = (message: string, hint: string): void => {
    errors.push(s.error('INVALID_EDIT', message, at, marker.length, hint))
  }
  if (marker.problem !== undefined) {
    const marks = s.region.slice(at, at + marker.length).trim()
    error(`'${marks}' is no SEARCH marker`, `Write ${marker.problem} alone on its line.`)
  }
  const inline = marker.rest === '' ? undefined : pathOfLine(marker.rest)
  if (marker.rest !== '' && inline === undefined) {
    const hint = 'Write <<<<<<< SEARCH alone on its line, the path on the line above.'
    error(`'${marker.rest}' after SEARCH is no path`, hint)
  }
  const { path, doubt } = inline === undefined ? pathAbove(s) : { path: inline, doubt: undefined }
  if (doubt !== undefined) {
    const either = s.editPath === undefined ? doubt : `${s.editPath} or ${doubt}`
    const hint = `Write ${either} alone on the line above the block, a path with spaces in backticks.`
    error(`It is not clear which file this block edits: the text above names ${doubt}`, hint)
  } else if (path === undefined && errors.length === 0) {
    const hint = 'Write the path of the file alone on the line above, e.g. src/main.py'
    error('No path stands above this SEARCH/REPLACE block', hint)
  }
  if (path !== undefined) s.editPath = path
  s.edit = {
    format: 'search-replace', kind: marker.kind, path, startLine: s.line, start: s.abs(s.lineStart), column,
    lines: [], dividers: [], nested: false, nearEnd: 0, resume: undefined, behindSecond: undefined, errors,
  }
  s.editFloor = s.abs(s.next)
  return -1
}

/**
 * The path of a block at the current line: from the line above or the info string of its fence; else that of the block
 * before, unless the text between mentions another file.
 */
function pathAbove(s: ScanState): { path: string | undefined; doubt: string | undefined } {
  let [nearest, paragraph] = [true, true]
  for (const line of linesAbove(s, s.editFloor)) {
    const text = line.trim()
    if (text === '' || /^<\/?[a-z]+>\w*$/.test(text)) {
      if (!nearest) paragraph = false
      continue
    }
    const fence = /^(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?:`{3,}|~{3,})([^`]*)$/.exec(text)
    const path = fence ? pathOfInfo(fence[1]!.trim()) : pathOfLine(text)
    if (path !== undefined) {
      return nearest || path === s.editPath ? { path, doubt: undefined } : { path: undefined, doubt: path }
    }
    if (fence) continue
    if (nearest && isNearPath(text)) return { path: undefined, doubt: text }
    const other = paragraph || text.startsWith('#') ? otherPathIn(text, s.editPath) : undefined
    if (other !== undefined) return { path: s.editPath, doubt: other }
    nearest = false
  }
  return { path: s.editPath, doubt: undefined }
}

/** A line of an open SEARCH/REPLACE block: content, except for the block's own markers. */
export function searchLine(s: ScanState, edit: OpenSearch): number {
  const from = stripColumns(s.region, s.at, s.end, edit.column)
  const cursor = { at: from, column: 0 }
  if (skipIndent(s.region, cursor, s.end) <= 3) {
    const next = markLine(s, edit, cursor.at)
    if (next !== undefined) return next
  }
  edit.lines.push(s.region.slice(from, s.next))
  return -1
}

/** Handles a marker; `undefined`: the line is content. */
function markLine(s: ScanState, edit: OpenSearch, at: number): number | undefined {
  const code = s.region.charCodeAt(at)
  if (code !== 0x3c && code !== 0x3d && code !== 0x3e && code !== 0x2b && code !== 0x2d) return undefined
  if (s.end - at > MAX_MARK) return undefined
  const line = s.region.slice(at, s.end)
  const marker = readSearchMarker(line)
  if (marker && marker.problem === undefined) {
    if (marker.kind === edit.kind) return endAtNext(s, edit)
    edit.nested = true
    edit.resume ??= { at: s.abs(s.lineStart), line: s.line }
    return undefined
  }
  if (DIVIDER.test(line)) {
    if (edit.nested) return undefined
    edit.dividers.push(edit.lines.length)
    if (edit.dividers.length === 2) edit.behindSecond = { at: s.abs(s.next), line: s.line + 1 }
    return undefined
  }
  const length = replaceMarkerLength(line)
  if (length === 0) {
    if (NEAR_REPLACE.test(line)) edit.nearEnd ||= s.line
    return undefined
  }
  if (edit.nested) {
    edit.nested = false
    return undefined
  }
  endSearch(s, edit, s.line, s.abs(at + length))
  // The next block's marker may follow directly.
  return at + length < s.end ? at + length : -1
}

/** Longest marker line; longer lines are content. */
const MAX_MARK = 600

/** Ends the block, with the current line or before it. */
function endSearch(s: ScanState, edit: OpenSearch, endLine: number, end: number): void {
  s.edit = undefined
  s.editFloor = end
  const divider = edit.errors.length > 0 ? undefined : dividerOf(edit)
  const old = edit.lines.slice(0, divider ?? 0).join('')
  const replaced = divider === undefined ? '' : edit.lines.slice(divider + 1).join('')
  emitEdit(s, edit, { format: 'search-replace', path: edit.path ?? '', oldText: old, newText: replaced }, endLine, end)
}

/**
 * Index of the line that divides old from new text; several are distinguished by their count of signs, or are an error.
 */
function dividerOf(edit: OpenSearch): number | undefined {
  const { dividers, lines, kind } = edit
  const same = dividers.filter((at) => lines[at]!.trim().length === kind.length)
  const [first, ...others] = same.length > 0 ? same : dividers
  if (first !== undefined && others.length === 0) return first
  const hint = first === undefined ? SHAPE
    : `Write marks of another number of signs than the content has: ${'<'.repeat(9)} SEARCH, ${'='.repeat(9)}, `
      + `${'>'.repeat(9)} REPLACE.`
  const message = first === undefined ? 'The block has no ======= between old and new lines'
    : `${others.length + 1} lines may be the ======= of this block`
  edit.errors.push(lineError('INVALID_EDIT', edit.startLine + 1 + (others[0] ?? 0), message, hint))
  return undefined
}

/**
 * The next SEARCH marker came before REPLACE. In a fence it ends the block, as models write it; elsewhere prose may
 * stand between, so this block fails.
 */
function endAtNext(s: ScanState, edit: OpenSearch): number {
  const replaced = edit.lines.slice((edit.dividers[0] ?? Infinity) + 1)
  const last = replaced.findLast((line) => line.trim() !== '')
  const clear = edit.dividers.length === 1 && s.fence !== undefined && !edit.nested &&
    !replaced.some((line) => /^\s*(?:```|~~~)/.test(line)) && (last === undefined || pathOfLine(last) === undefined)
  if (clear) {
    endSearch(s, edit, s.line - 1, s.abs(s.lineStart))
    return s.at
  }
  const { line } = s
  endUnclosedSearch(s, edit, s.line - 1, s.abs(s.lineStart))
  return s.line === line ? s.at : -1
}

/** Another block, or the end of the text, came first. */
export function endUnclosedSearch(s: ScanState, edit: OpenSearch, lastLine: number, end: number): void {
  const behind = endsWithDivider(edit) ? edit.behindSecond : undefined
  edit.errors.push({
    code: 'UNCLOSED_BLOCK', message: `The SEARCH/REPLACE block of line ${edit.startLine} has no >>>>>>> REPLACE`,
    line: behind ? behind.line - 1 : edit.startLine, column: 1, length: 0,
    hint: behind ? `Line ${behind.line - 1} is a second =======: write >>>>>>> REPLACE there.`
      : edit.nearEnd > 0 ? `Line ${edit.nearEnd} nearly is: write >>>>>>> REPLACE alone on it.`
        : `Write the whole block again. ${SHAPE}`,
    ...(behind && { fix: { startLine: behind.line - 1, endLine: behind.line - 1, text: endMark(edit) } }),
  })
  // Reading may resume inside the block: what it quoted is then read.
  const resume = behind ?? edit.resume
  endSearch(s, edit, resume ? resume.line - 1 : lastLine, resume ? resume.at : end)
  if (!resume) return
  s.editFloor = Math.max(edit.start, resume.at)
  s.resumeAt(resume.at, resume.line)
}

/** Whether a second divider without content behind it stands for the end marker. */
function endsWithDivider({ dividers, lines, errors }: OpenSearch): boolean {
  if (dividers.length !== 2 || errors.length > 0) return false
  const next = lines[dividers[1]! + 1]
  return next === undefined || /^\s*(?:$|```|~~~|<\/)/.test(next)
}

function endMark({ column, kind }: OpenSearch): string {
  return `${' '.repeat(column)}${(kind.startsWith('-') ? '+' : '>').repeat(kind.length)} REPLACE`
}

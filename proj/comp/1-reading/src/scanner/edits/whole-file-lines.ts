import { skipIndent, stripColumns } from '../columns.js'
import { matchContainers } from '../containers.js'
import { emitEdit } from './edit-items.js'
import { beginsGitDiff, readPatchCommand, readPatchMarker, readSearchMarker } from './edit-markers.js'
import { otherPathIn, pathOfInfo, pathOfLine } from './edit-paths.js'
import type { OpenWholeFile } from './edit-state.js'
import { closesFence, isLiveLanguage, languageOf, readFenceOpener, type FenceOpener } from '../fences.js'
import { linesAbove } from './lines-above.js'
import { openQuotingFence } from '../quoting-fence.js'
import type { ScanState } from '../scan-state.js'

const NO_FILE = new Set(['diff', 'patch'])
/** What is to be typed, or was printed. */
const COMMANDS = new Set(['', 'sh', 'bash', 'shell', 'console', 'zsh', 'text', 'txt', 'output', 'log'])

/** Opens a fence as a whole file, where its info string or the line right above is a path. False for other fences. */
export function openWholeFile(s: ScanState, opener: FenceOpener, indent: number): boolean {
  if (NO_FILE.has(languageOf(opener.info))) return false
  const above = linesAbove(s, s.editFloor).next().value ?? ''
  const path = pathOfInfo(opener.info) ?? pathOfLine(above)
  if (path === undefined) {
    const isHeading = /:[*_]*\s*$/.test(above) && !COMMANDS.has(languageOf(opener.info))
    const named = isHeading ? otherPathIn(above, undefined) : undefined
    const reason = `no file: to write ${named}, put its path alone on the line above`
    if (named !== undefined) s.emit({ kind: 'skipped', block: { startLine: s.line, endLine: s.line, reason } })
    return false
  }
  const column = s.list.reduce((sum, item) => sum + item.width, indent)
  s.edit = {
    format: 'whole-file', ...opener, indent, path, startLine: s.line, start: s.abs(s.lineStart), column, lines: [],
    errors: [], undecided: true, innerFence: 0,
  }
  return true
}

const COMMENT = /^(?:#|\/\/|--|;|%|<!--|\/\*)/

/** An edit begins here, so that the fence is its own and no file. */
function beginsEdit(line: string): boolean {
  const marker = readSearchMarker(line)
  return (marker !== undefined && marker.problem === undefined) || readPatchMarker(line)?.begins === true ||
    readPatchCommand(line.trim()) !== undefined || beginsGitDiff(line)
}

/** A line of a whole file, which ends with its fence. */
export function wholeFileLine(s: ScanState, edit: OpenWholeFile): number {
  const cursor = { at: s.at, column: 0 }
  const text = s.region
  if (matchContainers(s.list, text, cursor, s.end) < s.list.length) {
    unclosed(s, edit, s.line - 1, s.abs(s.lineStart))
    return s.at
  }
  if (skipIndent(text, cursor, s.end) <= 3) {
    if (closesFence(edit, text, cursor.at, s.end)) {
      endWholeFile(s, edit, s.line, s.abs(s.end))
      return -1
    }
    const line = text.slice(cursor.at, Math.min(s.end, cursor.at + 600))
    if (beginsEdit(line)) {
      if (edit.undecided) {
        s.edit = undefined
        openQuotingFence(s, edit, edit.indent, isLiveLanguage(edit.info), edit.startLine)
        return s.at
      }
      if (readSearchMarker(line)) {
        const message = 'A SEARCH marker after other lines of its fence'
        edit.errors.push(
          s.error('INVALID_EDIT', message, cursor.at, line.length, 'Begin the fence with the SEARCH line.'),
        )
      }
    }
    if (cursor.at < s.end && !COMMENT.test(line) && pathOfLine(line) === undefined) edit.undecided = false
    const inner = readFenceOpener(text, cursor.at, s.end)
    if (inner && inner.char === edit.char && inner.length >= edit.length) edit.innerFence ||= s.line
  }
  edit.lines.push(text.slice(stripColumns(text, s.at, s.end, edit.column), s.next))
  return -1
}

function endWholeFile(s: ScanState, edit: OpenWholeFile, endLine: number, end: number): void {
  s.edit = undefined
  s.editFloor = end
  if (edit.innerFence > 0) {
    const fence = edit.char.repeat(edit.length)
    edit.errors.push({
      code: 'INVALID_EDIT',
      message: `The file holds a fence of its own in line ${edit.innerFence}, so where it ends is in doubt`,
      line: edit.innerFence, column: 1, length: 0,
      hint: `Put the whole file between longer fences: ${fence}${edit.char} instead of ${fence}.`,
    })
  }
  const content = edit.errors.length > 0 ? '' : edit.lines.join('')
  emitEdit(s, edit, { format: 'search-replace', path: edit.path, content }, endLine, end)
}

function unclosed(s: ScanState, edit: OpenWholeFile, endLine: number, end: number): void {
  edit.errors.push({
    code: 'UNCLOSED_BLOCK', message: `The fence of ${edit.path} is not closed`, line: edit.startLine, column: 1,
    length: edit.length,
    hint: `Write the whole file again and close its fence with ${edit.char.repeat(edit.length)}.`,
  })
  endWholeFile(s, edit, endLine, end)
}

export function endWholeFileAtEnd(s: ScanState, edit: OpenWholeFile): void {
  unclosed(s, edit, s.line, s.abs(s.region.length))
}

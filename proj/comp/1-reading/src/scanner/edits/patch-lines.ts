import { stripColumns } from '../columns.js'
import { emitEdit } from './edit-items.js'
import { BEGIN_PATCH, END_PATCH, readPatchCommand, readPatchMarker, type PatchCall } from './edit-markers.js'
import type { OpenPatch } from './edit-state.js'
import { leavesFence } from '../fence-edge.js'
import { lineError, type ScanError } from '../items.js'
import { linesAbove } from './lines-above.js'
import type { ScanState } from '../scan-state.js'

/** Opens the V4A patch at `at`; a patch with a misspelt marker is recognised but never run. */
export function openPatch(s: ScanState, exact: boolean, at: number, column: number): number {
  s.leaveProse()
  const first = s.region.slice(at, s.next)
  const edit: OpenPatch = {
    format: 'v4a', startLine: s.line, start: s.abs(s.lineStart), column, lines: [first], errors: [],
  }
  const line = s.region.slice(at, s.end).trimEnd()
  if (!exact) edit.errors.push(notMarker(s, line, at, `Write ${BEGIN_PATCH} and ${END_PATCH}.`))
  const directory = readPatchCommand((linesAbove(s, s.editFloor).next().value ?? '').trim())?.directory
  if (directory !== undefined) edit.errors.push(inDirectory(s, directory, at, line.length))
  s.edit = edit
  return -1
}

function inDirectory(s: ScanState, directory: string, at: number, length: number): ScanError {
  return s.error('INVALID_EDIT', `'${directory}' before apply_patch is not run`, at, length,
    'Write apply_patch alone, and paths that start at the root.')
}

function notMarker(s: ScanState, line: string, at: number, hint: string): ScanError {
  return s.error('INVALID_EDIT', `'${line}' is no patch marker`, at, line.length, hint)
}

/** A line of an open patch; each has its sign in column 0, so that a plain fence or marker ends it. */
export function patchLine(s: ScanState, edit: OpenPatch): number {
  const from = stripColumns(s.region, s.at, s.end, edit.column)
  const marker = s.region.charCodeAt(from) === 0x2a ? readPatchMarker(s.region.slice(from, s.end)) : undefined
  if ((s.fence && leavesFence(s, s.fence)) || (marker?.begins && marker.exact)) {
    endUnclosedPatch(s, edit, s.line - 1, s.abs(s.lineStart))
    return s.at
  }
  edit.lines.push(s.region.slice(from, s.next))
  if (!marker || marker.begins) return -1
  const line = s.region.slice(from, s.end).trimEnd()
  if (!marker.exact) edit.errors.push(notMarker(s, line, from, `Write ${END_PATCH}.`))
  endPatch(s, edit, s.line, s.abs(s.end))
  return -1
}

/** The text or fence ended, or another patch began, before the end marker. */
export function endUnclosedPatch(s: ScanState, edit: OpenPatch, endLine: number, end: number): void {
  const last = edit.lines.findLastIndex((line) => line.trim() !== '')
  // Codex accepts an indented end marker; it would be context if it were not the last line.
  if (edit.lines[last]?.trim() === END_PATCH) {
    edit.lines.length = last + 1
    endPatch(s, edit, edit.startLine + last, end)
    return
  }
  const message = `The patch of line ${edit.startLine} has no ${END_PATCH}`
  const hint = `Write the whole patch again, from ${BEGIN_PATCH} to ${END_PATCH}.`
  edit.errors.push(lineError('UNCLOSED_BLOCK', edit.startLine, message, hint, BEGIN_PATCH.length))
  endPatch(s, edit, endLine, end)
}

function endPatch(s: ScanState, edit: OpenPatch, endLine: number, end: number): void {
  s.edit = undefined
  s.editFloor = end
  emitEdit(s, edit, { format: 'v4a', patch: edit.errors.length > 0 ? '' : edit.lines.join('') }, endLine, end)
}

/** A patch in a JSON call on one line: `["apply_patch", "…"]`. */
export function patchCall(s: ScanState, { patch, directory }: PatchCall, at: number): number {
  s.leaveProse()
  const errors = patch === undefined
    ? [directory === undefined
      ? s.error('INVALID_EDIT', 'This apply_patch call is no JSON array that holds a whole patch, and nothing else', at,
        s.end - at, `Write the patch itself, from ${BEGIN_PATCH} to ${END_PATCH}.`)
      : inDirectory(s, directory, at, s.end - at)]
    : []
  const edit: OpenPatch = { format: 'v4a', startLine: s.line, start: s.abs(s.lineStart), column: 0, lines: [], errors }
  emitEdit(s, edit, { format: 'v4a', patch: patch ?? '' }, s.line, s.abs(s.end))
  return -1
}

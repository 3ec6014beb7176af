import type { Cursor } from '../columns.js'
import { beginEdit, mayBeEdit } from './edit-lines.js'
import { DIFF_LANGUAGES, LIKE_DIFF, readPatchCommand } from './edit-markers.js'
import { pathOfLine } from './edit-paths.js'
import { languageOf } from '../fences.js'
import { linesAbove } from './lines-above.js'
import type { OpenFence, ScanState } from '../scan-state.js'

/** Most lines (path, comments, command) before the first edit of a fence. */
const MAX_PREAMBLE = 4
/** Lines of git above the file names of a diff. */
const GIT =
  /^(?:diff --git |index |(?:old|new|deleted)(?: file)? mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) )/
/** Most of those lines. */
const MAX_GIT = 7
const COMMENT = /^(?:#|\/\/|--|;|%|<!--|\/\*|index |Index: |={20,}$)/

/**
 * Reads a line of an open fence for edit formats: a fence that begins with an edit belongs to that format, whatever its
 * language; in other fences that are not live, edits are quoted. `undefined`: the line has its ordinary meaning.
 */
export function fenceEdit(s: ScanState, fence: OpenFence, cursor: Cursor, indent: number): number | undefined {
  if (fence.edits === 'none' || fence.inner || cursor.at >= s.end) return undefined
  const isRead = s.formats.size > 0 || fence.isDiff
  const mayBegin = indent < 4 && mayBeEdit(s.region.charCodeAt(cursor.at))
  if (!isRead && (!mayBegin || (!fence.live && !isBelowPreamble(s, fence)))) return undefined
  if (mayBegin) {
    const next = beginEdit(s, cursor.at, cursor.column)
    if (next !== undefined) {
      fence.edits = 'own'
      return next
    }
  }
  const isUndecided = fence.edits === 'unknown' && fence.noticed === undefined && !fence.live && isRead
  if (isUndecided && !isPreamble(s, fence, cursor.at)) {
    fence.edits = 'none'
    return nameless(s, fence, cursor.at)
  }
  return undefined
}

function isPreamble(s: ScanState, fence: OpenFence, at: number): boolean {
  // A header is no comment: the fence shows a block.
  if (s.headerAt(at)) return false
  const line = s.region.slice(at, Math.min(s.end, at + 600))
  if (GIT.test(line)) return true
  return ++fence.preamble <= MAX_PREAMBLE && (s.diffStart?.line === s.line || isPreambleLine(line))
}

function isPreambleLine(line: string): boolean {
  return COMMENT.test(line) || pathOfLine(line) !== undefined || readPatchCommand(line.trim()) !== undefined
}

/**
 * Whether the line is too deep in the fence to begin an edit. Where no edit format is read, lines of a fence are
 * skipped, so the lines above are examined here.
 */
function isBelowPreamble(s: ScanState, fence: OpenFence): boolean {
  if (fence.noticed !== undefined) return true
  let lines = s.line - fence.startLine - 1
  if (lines > MAX_PREAMBLE + MAX_GIT) return false
  let others = 0
  for (const line of linesAbove(s, 0)) {
    if (lines-- === 0) return others <= MAX_PREAMBLE
    const words = line.trim()
    if (words !== '' && !GIT.test(words) && (++others > MAX_PREAMBLE || !isPreambleLine(words))) return false
  }
  return lines <= 0
}

/** Lines of a context diff (`diff -c`). */
const CONTEXT_DIFF = /^\*{3}(?: \d+(?:,\d+)? \*{4}|\*{12}| \S+)\s*$/
const LIKE_CONTEXT_DIFF = 'a context diff, which no format reads: write it as diff -u does, with --- and +++'

/** A diff fence that names no file: an error if it has hunks, since these were meant to be applied. */
function nameless(s: ScanState, fence: OpenFence, at: number): undefined {
  if (!DIFF_LANGUAGES.includes(languageOf(fence.info))) return undefined
  const { startLine } = fence
  if (CONTEXT_DIFF.test(s.region.slice(at, s.end))) {
    s.emit({ kind: 'skipped', block: { startLine, endLine: startLine, reason: LIKE_CONTEXT_DIFF } })
  } else if (fence.isDiff) {
    if (!s.region.startsWith('@@', at)) return undefined
    s.emit({ kind: 'skipped', block: { startLine, endLine: startLine, reason: LIKE_DIFF } })
  } else if (s.region.startsWith('@@', at)) {
    const hint = 'Write --- a/path and +++ b/path above the first @@ line.'
    s.nearMiss(s.error('INVALID_EDIT', 'The diff names no file', at, 2, hint))
  } else if ('+- '.includes(s.region.charAt(at)) || s.at < at) {
    s.emit({ kind: 'skipped', block: { startLine, endLine: s.line, reason: 'a diff that names no file' } })
  }
  return undefined
}

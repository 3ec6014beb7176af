import type { Cursor } from '../columns.js'
import { beginEdit, mayBeEdit } from './edit-lines.js'
import { readPatchCommand } from './edit-markers.js'
import { pathOfLine } from './edit-paths.js'
import { languageOf } from '../fences.js'
import type { OpenFence, ScanState } from '../scan-state.js'

/** Most lines with a path, comments or a command before the first edit of a fence. */
const MAX_PREAMBLE = 4
const COMMENT = /^(?:#|\/\/|--|;|%|<!--|\/\*|index |Index: |={20,}$)/

/**
 * A line of an open fence as an edit format reads it: a fence whose first lines begin an edit is part of the format,
 * whatever its language; in another that is not live edits are quoted. `undefined`: the line has its usual meaning.
 */
export function fenceEdit(s: ScanState, fence: OpenFence, cursor: Cursor, indent: number): number | undefined {
  if (fence.edits === 'none' || fence.inner || cursor.at >= s.end) return undefined
  if (s.formats.size === 0 && !fence.live && s.line - fence.startLine > MAX_PREAMBLE) return undefined
  if (indent < 4 && mayBeEdit(s.region.charCodeAt(cursor.at))) {
    const next = beginEdit(s, cursor.at, cursor.column)
    if (next !== undefined) {
      fence.edits = 'own'
      return next
    }
  }
  if (fence.edits === 'unknown' && !fence.live && s.formats.size > 0 && !isPreamble(s, fence, cursor.at)) {
    fence.edits = 'none'
    return nameless(s, fence, cursor.at)
  }
  return undefined
}

function isPreamble(s: ScanState, fence: OpenFence, at: number): boolean {
  if (++fence.preamble > MAX_PREAMBLE || fence.noticed !== undefined) return false
  if (s.diffStart?.line === s.line) return true
  const line = s.region.slice(at, Math.min(s.end, at + 600))
  return COMMENT.test(line) || pathOfLine(line) !== undefined || readPatchCommand(line.trim()) !== undefined
}

/** A diff fence that names no file: an error where it has hunks, which were meant to be applied. */
function nameless(s: ScanState, fence: OpenFence, at: number): undefined {
  const language = languageOf(fence.info)
  if (!s.formats.has('unified') || (language !== 'diff' && language !== 'patch')) return undefined
  if (s.region.startsWith('@@', at)) {
    const hint = 'Write --- a/path and +++ b/path above the first @@ line.'
    s.nearMiss(s.error('INVALID_EDIT', 'The diff names no file', at, 2, hint))
  } else if ('+- '.includes(s.region.charAt(at)) || s.at < at) {
    const { startLine } = fence
    s.emit({ kind: 'skipped', block: { startLine, endLine: s.line, reason: 'a diff that names no file' } })
  }
  return undefined
}

import { skipIndent } from '../columns.js'
import { matchContainers } from '../containers.js'
import { pathOfFirstLine } from './edit-paths.js'
import type { OpenUnnamedFence } from './edit-state.js'
import { isLiveLanguage } from '../fences.js'
import { openQuotingFence } from '../quoting-fence.js'
import type { ScanState } from '../scan-state.js'

/** The first line of a fence without a path: a comment that names the file, and is none of its lines, or any other. */
export function unnamedFenceLine(s: ScanState, edit: OpenUnnamedFence): number {
  const cursor = { at: s.at, column: 0 }
  const isInside = matchContainers(s.list, s.region, cursor, s.end) === s.list.length
  skipIndent(s.region, cursor, s.end)
  const path = isInside ? pathOfFirstLine(s.region.slice(cursor.at, s.end)) : undefined
  if (path === undefined) {
    openOtherwise(s, edit)
    return s.at
  }
  s.edit = { ...edit, format: 'whole-file', path }
  return -1
}

/** It names no file: what it is without one. */
export function openOtherwise(s: ScanState, edit: OpenUnnamedFence): void {
  const { call, spokenOf, startLine } = edit
  s.edit = call && { ...edit, format: 'fence-call', call }
  if (call) return
  openQuotingFence(s, edit, edit.indent, isLiveLanguage(edit.info), startLine)
  if (spokenOf === undefined) return
  const reason = `looks like ${spokenOf}: to write it, put its path alone on the line above`
  s.emit({ kind: 'skipped', block: { startLine, endLine: startLine, reason } })
}

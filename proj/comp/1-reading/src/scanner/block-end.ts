import { endLine } from './grammar.js'
import { MAX_FIXED, SOURCE_LIMIT, type ShamItem } from './items.js'
import { foundOwnEnd } from './own-end.js'
import type { OpenBlock, ScanState } from './scan-state.js'
import { isTooLong, tooLong } from './too-long.js'

/** Most of the line that ended a block to keep, in UTF-16 units; the edge of a fence is shorter. */
const MAX_NEXT = 200

/**
 * Emits the open block.
 *
 * @param lastLine its last line
 * @param end absolute offset of the end of its text
 */
export function endBlock(s: ScanState, block: OpenBlock, lastLine: number, end: number): void {
  const isLong = block.isTooLong || isTooLong(s, block.start, end)
  s.block = undefined
  const { id, startLine } = block
  const errors = isLong ? [tooLong(s, startLine), ...block.errors] : block.errors
  if (block.quotes) {
    block.quotes.line(foundOwnEnd(errors) ? endLine(block.dialect, id ?? '') : '', lastLine)
    return
  }
  const isFixable = block.errors.length === 1 && !isLong && end - block.start <= MAX_FIXED
  s.lastUnclosed = undefined
  if (isFixable && !block.atEnd && block.errors[0]!.code === 'UNCLOSED_BLOCK' && block.id !== undefined) {
    const next = s.region.slice(s.lineStart, Math.min(s.end, s.lineStart + MAX_NEXT))
    s.lastUnclosed = { dialect: block.dialect, id: block.id, endLine: lastLine, next }
  }
  const item: ShamItem = {
    kind: 'sham',
    dialect: block.dialect,
    id,
    startLine,
    endLine: Math.max(startLine, lastLine),
    source: s.sourceText(block.start, end).trimEnd(),
    body: block.nearMiss || isLong ? [] : block.body,
    errors,
  }
  // Set on the object, since spreading is slow and a text may consist of blocks.
  if (isFixable && end - block.start >= SOURCE_LIMIT) item.text = s.source.slice(block.start, end).trimEnd()
  if (block.atEnd) item.atEnd = true
  if (block.isOpen) item.isOpen = true
  if (s.lastUnclosed && /^[ \t]/.test(s.lastUnclosed.next)) item.isInContainer = true
  s.emit(item)
}

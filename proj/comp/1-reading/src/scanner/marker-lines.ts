import type { Fix } from '../../../0-contracts/src/index.js'
import { strayFenceFix } from './fixes.js'
import { endLine, type EndMarker } from './grammar.js'
import { ASIDE_REASONS } from './place.js'
import { QuotedBlocks } from './quoted-blocks.js'
import type { ScanState } from './scan-state.js'
import { skipQuoted, strayEnd } from './sections.js'
import { openBlock } from './sham-lines.js'

/** Opens a block for a header; reports near misses. False for other lines. */
export function markerLine(s: ScanState, at: number, column: number): boolean {
  const header = s.headerAt(at)
  if (header) {
    s.leaveProse()
    if (header.isWhole && header.problem) {
      const { code, message, length, hint } = header.problem
      s.nearMiss(s.error(code, message, at, length, hint), header.id)
    } else openBlock(s, header, at, column)
    return true
  }
  const marker = s.endMarkerAt(at)
  if (!marker) return false
  const line = s.region.slice(at, s.end).trimEnd()
  s.leaveProse()
  const spelled = marker.id === undefined ? line : endLine(marker.dialect, marker.id)
  const error = s.error(
    'MISMATCHED_END', `End marker '${line}' has no open block`, at, line.length,
    marker.exact
      ? `Its block ended earlier or its header is missing; write the whole block again, from its header to ${spelled}.`
      : 'An end marker is #!END_SHAM_ and the id of its header, alone on its line.',
  )
  const fix = marker.exact && s.lastUnclosed ? fenceBetween(s, marker, s.region.slice(s.lineStart, at)) : undefined
  if (fix) error.fix = fix
  s.nearMiss(error, marker.id)
  return true
}

/** A fix for an end marker that is separated from its block only by the edge of a fence, which ended the block. */
function fenceBetween(s: ScanState, { dialect, id }: EndMarker, indent: string): Fix | undefined {
  const block = s.lastUnclosed
  if (block?.id !== id || block?.dialect !== dialect || s.line !== block.endLine + 2) return undefined
  return FENCE.test(block.next) ? strayFenceFix({ ...block, indent }, s.line - 1, block.next) : undefined
}

/** The edge of a fence; a longer line may be cut. */
const FENCE = /^\s*(?:`{3,}|~{3,})[^\n]{0,100}$/

/** A line indented by four or more columns: code or the continuation of a paragraph, never live. */
export function indented(s: ScanState, at: number): number {
  const after = s.fence ? undefined : strayEnd(s, at)
  if (after !== undefined) return after
  const quotes = s.asideOf('indented', () => new QuotedBlocks(ASIDE_REASONS.indented, skipQuoted(s), s.formats))
  quotes.line(s.region.slice(at, s.end), s.line)
  if (!quotes.isOpen && !s.fence && s.list.length === 0) passIndented(s)
  return -1
}

/** Outside lists, skips further lines of code up to where something may begin. */
function passIndented(s: ScanState): void {
  const from = s.next - 1
  const last = s.region.slice(from, Math.max(from, s.readUntil - 1)).search(NOT_INDENTED)
  if (last > 0) s.passTo(from + last + 1)
}

/** The end of a line followed by one that is not code, or incomplete. */
const NOT_INDENTED = /\n(?! {4}[^\n]*\n)/

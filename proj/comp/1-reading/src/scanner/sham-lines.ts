import { opensHeredoc } from './assignment.js'
import { endBlock } from './block-end.js'
import { skipIndent, stripColumns } from './columns.js'
import { mayBeEdit } from './edits/edit-lines.js'
import { fenceEdge } from './fence-edge.js'
import { skipInvisible } from './fences.js'
import { endLine, mayBeMarker, type Header } from './grammar.js'
import { openHeredoc } from './heredocs/heredoc-lines.js'
import { lineError, type BodyLine, type ScanError } from './items.js'
import type { OpenBlock, ScanState } from './scan-state.js'
import { bulletWithBlock, seenIn } from './what-begins.js'

/** Opens a block at its header line; one with a malformed header is only recognised. */
export function openBlock(s: ScanState, header: Header, at: number, column: number): void {
  const { problem } = header
  s.block = {
    dialect: header.dialect,
    id: header.id,
    startLine: s.line,
    start: s.abs(s.lineStart),
    column,
    inFence: s.fence !== undefined,
    nearMiss: problem !== undefined,
    body: [],
    errors: problem
      ? [s.error(problem.code, problem.message, at + problem.column - 1, problem.length, problem.hint)] : [],
    heredoc: undefined,
  }
}

/**
 * A line of an open block, outside heredocs; `SEEN_IN` lists what ends it.
 *
 *     #!SHAM [@three-char-SHA-256: abc]
 *     action = "ls"
 *     ^^^^^^^^^^^^^
 *     #!END_SHAM_abc
 */
export function blockLine(s: ScanState): number {
  const block = s.block!
  const text = s.region
  const first = text.charCodeAt(s.at)
  if (beginsNothing(first) && s.list.length === 0 && !block.nearMiss) return bodyLine(s, block, s.at)
  if (block.inFence && fenceEdge(s) !== 'inside') return endUnclosed(s, block)
  const from = stripColumns(text, s.at, s.end, block.column)
  const cursor = { at: from, column: 0 }
  const indent = skipIndent(text, cursor, s.end)
  if (block.nearMiss) cursor.at = skipInvisible(text, cursor.at, s.end)
  if (cursor.at >= s.end) return -1
  if (indent <= 3 && isPlainEnd(block, text, cursor.at, s.end)) {
    endBlock(s, block, s.line, s.abs(s.end))
    return -1
  }
  const ends = indent <= 3 ? seenIn(s, block.inFence ? 'block in a fence' : 'block', cursor.at) : undefined
  if (ends === undefined) {
    const isOver = indent <= 3 && !block.inFence && bulletWithBlock(s, cursor.at)
    return isOver ? endUnclosed(s, block) : bodyLine(s, block, from)
  }
  if (ends !== 'end marker') return endUnclosed(s, block)
  const marker = s.endMarkerAt(cursor.at)
  const isOwn = marker?.exact && marker.dialect === block.dialect && marker.id === block.id
  if (!block.nearMiss && !isOwn) {
    block.errors.push(mismatchedEnd(s, block, text.slice(cursor.at, s.end).trimEnd(), marker?.id, cursor.at))
  }
  endBlock(s, block, s.line, s.abs(s.end))
  return -1
}

/** Fast path: most lines begin with a key, whose first letter ends no block. */
function beginsNothing(code: number): boolean {
  return code >= 0x61 && code <= 0x7a && !mayBeMarker(code) && !mayBeEdit(code)
}

/** Fast path: the block's own end marker with nothing behind it. */
function isPlainEnd({ dialect, id, nearMiss }: OpenBlock, text: string, at: number, end: number): boolean {
  if (nearMiss || id === undefined || text.charCodeAt(at) !== 0x23) return false
  const marker = endLine(dialect, id)
  return end - at === marker.length && text.startsWith(marker, at)
}

function bodyLine(s: ScanState, block: OpenBlock, from: number): number {
  const line: BodyLine = { line: s.line, offset: from - s.lineStart, text: s.region.slice(from, s.end) }
  const opens = opensHeredoc(line.text)
  // A near miss above prose was prose too; above what looks like a body, it is recognised to its end.
  if (block.nearMiss && block.body.length === 0 && !opens && !line.text.includes('=')) return endUnclosed(s, block)
  block.body.push(line)
  if (opens) openHeredoc(s, block, line)
  return -1
}

/**
 * Another header, the edge of a fence or the end of the text came first: only this block fails, and the line is read
 * again.
 */
function endUnclosed(s: ScanState, block: OpenBlock): number {
  block.isOpen = true
  if (!block.nearMiss) block.errors.push(unclosedBlock(s, block, s.line - 1))
  endBlock(s, block, s.line - 1, s.abs(s.lineStart))
  return s.at
}

/** The text has ended with the block open and no heredoc. */
export function endBlockAtEnd(s: ScanState): void {
  const block = s.block!
  block.atEnd = true
  block.isOpen = true
  if (!block.nearMiss) block.errors.push(unclosedBlock(s, block, s.line))
  endBlock(s, block, s.line, s.abs(s.region.length))
}

function unclosedBlock(s: ScanState, block: OpenBlock, line: number): ScanError {
  const { id = '', dialect, startLine } = block
  return lineError('UNCLOSED_BLOCK', Math.max(startLine, Math.min(line, s.line)),
    `Block '${id}' of line ${startLine} is not closed`, `End it with ${endLine(dialect, id)} on a line of its own.`)
}

function mismatchedEnd(s: ScanState, block: OpenBlock, line: string, id: string | undefined, at: number): ScanError {
  const expected = endLine(block.dialect, block.id ?? 'abc')
  const message = id === undefined || id === block.id
    ? `End marker '${line.trim()}' must be '${expected}'`
    : `End marker '${id}' doesn't match block ID '${block.id ?? ''}'`
  return s.error('MISMATCHED_END', message, at, line.length, `Write ${expected}`)
}

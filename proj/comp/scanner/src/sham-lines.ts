import { readQuotedAssignment } from './assignment.js'
import { skipIndent, stripColumns } from './columns.js'
import { fenceEdge } from './fence-edge.js'
import { readFenceOpener } from './fences.js'
import {
  delimiter, endLine, headerLine, mayBeMarker, readEndMarker, readHeader, readHeredocOpener, TOOL_CALL_OPEN, type Header,
} from './grammar.js'
import type { BodyLine, ScanError } from './items.js'
import type { OpenBlock, ScanState } from './scan-state.js'

/** Opens a block at its header line; a near miss opens one for recognition only. */
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
    errors: problem ? [s.error(problem.code, problem.message, at + problem.column - 1, problem.length, problem.hint)] : [],
    heredoc: undefined,
    doubt: 0,
  }
}

/** A line of an open block, outside its heredocs. */
export function blockLine(s: ScanState): number {
  const block = s.block!
  if (block.doubt > 0) return doubtLine(s, block)
  if (block.inFence && fenceEdge(s) !== 'inside') return endUnclosed(s, block)
  const text = s.region
  const from = stripColumns(text, s.at, s.end, block.column)
  const cursor = { at: from, column: 0 }
  const indent = skipIndent(text, cursor, s.end)
  if (cursor.at >= s.end) return -1
  if (indent <= 3) {
    const code = text.charCodeAt(cursor.at)
    if (!block.inFence && (readFenceOpener(text, cursor.at, s.end) || text.startsWith(TOOL_CALL_OPEN, cursor.at))) {
      return endUnclosed(s, block)
    }
    if (mayBeMarker(code)) {
      const line = text.slice(cursor.at, s.end)
      if (readHeader(line)) return endUnclosed(s, block)
      const marker = readEndMarker(line)
      if (marker) {
        const own = marker.exact && marker.dialect === block.dialect && marker.id === block.id
        if (!own && !block.nearMiss) block.errors.push(mismatchedEnd(s, block, line.trimEnd(), marker.id, cursor.at))
        endBlock(s, block, s.line, s.abs(s.end))
        return -1
      }
    }
  }
  return bodyLine(s, block, from)
}

function bodyLine(s: ScanState, block: OpenBlock, from: number): number {
  const line: BodyLine = { line: s.line, offset: from - s.lineStart, text: s.region.slice(from, s.end) }
  const opens = line.text.includes('<<')
  if (block.nearMiss) {
    // Only what looks like assignments can belong to the block that was meant.
    if (!opens && !line.text.includes('=')) return endUnclosed(s, block)
  } else block.body.push(line)
  if (opens && !readQuotedAssignment(line.text)) openHeredoc(s, block, line)
  return -1
}

function openHeredoc(s: ScanState, block: OpenBlock, line: BodyLine): void {
  const own = block.id === undefined ? undefined : delimiter(block.dialect, block.id)
  const opener = readHeredocOpener(line.text)
  const word = opener.word ?? own
  if (word === undefined) return
  block.heredoc = {
    delimiter: word,
    line: s.line,
    column: line.offset + line.text.indexOf('<<') + 1,
    crlf: s.next - s.end === 2,
    contentStart: s.abs(s.next),
    target: opener.wellFormed && word === own && !block.nearMiss ? line : undefined,
  }
}

/**
 * Moves past the open heredoc; false where its terminator is not in the region yet. Inside it nothing is special but
 * a whole line equal to the delimiter.
 */
export function skipHeredoc(s: ScanState): boolean {
  const block = s.block!
  const heredoc = block.heredoc!
  const found = s.index
    ? s.index.nextWord(heredoc.delimiter, s.abs(s.pos), block.column)
    : findTerminator(s, heredoc.delimiter, block.column)
  if (found === undefined) {
    if (s.index) {
      resolveHeredoc(s)
      return true
    }
    s.line += countLines(s.region, s.pos, s.region.length)
    s.pos = s.region.length
    return false
  }
  const start = found - s.source.base
  s.line += countLines(s.region, s.pos, start) + 1
  const newline = s.region.indexOf('\n', start)
  s.pos = newline < 0 ? s.region.length : newline + 1
  block.heredoc = undefined
  const raw = s.source.slice(heredoc.contentStart, found)
  if (heredoc.target) heredoc.target.heredoc = heredocValue(raw, heredoc.crlf, block.column)
  doubtContent(block, raw, heredoc.delimiter, heredoc)
  return true
}

function findTerminator(s: ScanState, word: string, columns: number): number | undefined {
  const text = s.region
  for (let at = text.indexOf(word, s.pos); at >= 0; at = text.indexOf(word, at + 1)) {
    let start = at
    while (start > s.pos && isSpace(text.charCodeAt(start - 1))) start--
    if (start > s.pos && text.charCodeAt(start - 1) !== 0x0a) continue
    if (stripColumns(text, start, at, columns) !== at) continue
    let end = at + word.length
    while (isSpace(text.charCodeAt(end))) end++
    if (end >= text.length || text.charCodeAt(end) === 0x0a || (text.charCodeAt(end) === 0x0d && text.charCodeAt(end + 1) === 0x0a)) {
      return s.abs(start)
    }
  }
  return undefined
}

/** The last line break belongs to the terminator: CRLF if the opener line ends so, else LF (contract section 1). */
function heredocValue(raw: string, crlf: boolean, columns: number): string {
  const breakLength = crlf && raw.endsWith('\r\n') ? 2 : raw.endsWith('\n') ? 1 : 0
  const value = raw.slice(0, raw.length - breakLength)
  if (columns === 0) return value
  return value.split('\n').map((line) => line.slice(stripColumns(line, 0, line.length, columns))).join('\n')
}

/**
 * A heredoc that quotes the block's own header and, after it, an opener with its own delimiter: the terminator found
 * may be the inner one's, so where the block ends is in doubt and it does not run.
 */
function doubtContent(block: OpenBlock, raw: string, word: string, opener: { line: number; column: number }): void {
  const { id, dialect } = block
  if (id === undefined || word !== delimiter(dialect, id) || !raw.includes(`: ${id}]`) || !raw.includes(word)) return
  let depth = 1
  let header = false
  let doubtful = false
  for (const line of raw.split('\n')) {
    const text = line.trim()
    if (text.startsWith('#!')) {
      const quoted = readHeader(text)
      if (quoted?.id === id && !quoted.problem) {
        header = true
        depth++
      } else if (isOwnEnd(block, text)) depth = Math.max(1, depth - 1)
    } else if (header && text.includes('<<') && readHeredocOpener(text).word === word) doubtful = true
  }
  if (!doubtful) return
  block.doubt = depth
  block.errors.push({
    code: 'UNCLOSED_HEREDOC',
    message: `Block '${id}' repeats its own header inside its heredoc '${word}', so where it ends is in doubt`,
    line: opener.line,
    column: opener.column,
    length: word.length + 4,
    hint: `Give the outer block another id in its header, delimiters and end marker, for instance ${headerLine(dialect, otherId(id))}`,
  })
}

function doubtLine(s: ScanState, block: OpenBlock): number {
  const text = s.region.slice(s.at, s.end).trim()
  if (readHeader(text)?.id === block.id) block.doubt++
  else if (isOwnEnd(block, text) && --block.doubt === 0) endBlock(s, block, s.line, s.abs(s.end))
  return -1
}

function isOwnEnd(block: OpenBlock, text: string): boolean {
  const marker = readEndMarker(text)
  return marker !== undefined && marker.exact && marker.dialect === block.dialect && marker.id === block.id
}

/** The text has ended (or, with the index, no terminator comes): what the open heredoc costs. */
export function resolveHeredoc(s: ScanState): void {
  const block = s.block!
  const { delimiter: word, line, column, contentStart, target } = block.heredoc!
  if (target) target.heredoc = ''
  const index = s.index!
  const own = block.id === undefined ? undefined : endLine(block.dialect, block.id)
  const end = own === undefined ? undefined : index.nextWord(own, contentStart, block.column + 3)
  const header = block.id === undefined ? undefined : index.nextHeader(block.id, contentStart)
  const error: ScanError = {
    code: 'UNCLOSED_HEREDOC',
    message: `Heredoc '${word}' of line ${line} is not closed`,
    line,
    column,
    length: word.length + 4,
    hint: `End the value with ${word} on a line of its own, then ${own ?? 'the end marker'}.`,
  }
  block.heredoc = undefined
  if (end !== undefined && (header === undefined || header > end)) {
    block.errors.push(error)
    const start = end - s.source.base
    const newline = s.region.indexOf('\n', start)
    const stop = newline < 0 ? s.region.length : newline
    const lastLine = line + 1 + countLines(s.region, contentStart - s.source.base, start)
    endBlock(s, block, lastLine, s.abs(stop))
    s.resumeAt(s.abs(newline < 0 ? stop : newline + 1), lastLine + 1)
    return
  }
  const after = index.headersAfter(contentStart)
  if (after > 0) error.hint += ` Nothing after line ${line} was run: ${after} header${after === 1 ? '' : 's'} after it may be its content.`
  else error.hint = `The answer was cut off here: send the block again, whole. ${error.hint}`
  block.errors.push(error)
  s.cutOff = true
  s.line = line + countLines(s.region, contentStart - s.source.base, s.region.length)
  if (s.region.length > contentStart - s.source.base && !s.region.endsWith('\n')) s.line++
  endBlock(s, block, s.line, s.abs(s.region.length))
}

/** Another header, a fence's edge or the end of the text came first: costs this block only; the line is read anew. */
function endUnclosed(s: ScanState, block: OpenBlock): number {
  if (!block.nearMiss) block.errors.push(unclosedBlock(s, block, s.line - 1))
  endBlock(s, block, s.line - 1, s.abs(s.lineStart))
  return s.at
}

/** The text has ended with the block open and no heredoc. */
export function endBlockAtEnd(s: ScanState): void {
  const block = s.block!
  if (!block.nearMiss && block.doubt === 0) block.errors.push(unclosedBlock(s, block, s.line))
  endBlock(s, block, s.line, s.abs(s.region.length))
}

function endBlock(s: ScanState, block: OpenBlock, lastLine: number, end: number): void {
  s.block = undefined
  s.emit({
    kind: 'sham',
    dialect: block.dialect,
    id: block.id,
    startLine: block.startLine,
    endLine: Math.max(block.startLine, lastLine),
    source: s.sourceText(block.start, end).trimEnd(),
    body: block.body,
    errors: block.errors,
  })
}

function unclosedBlock(s: ScanState, block: OpenBlock, line: number): ScanError {
  const id = block.id ?? ''
  return {
    code: 'UNCLOSED_BLOCK',
    message: `Block '${id}' of line ${block.startLine} is not closed`,
    line: Math.max(block.startLine, Math.min(line, s.line)),
    column: 1,
    length: 0,
    hint: `End it with ${endLine(block.dialect, id)} on a line of its own.`,
  }
}

function mismatchedEnd(s: ScanState, block: OpenBlock, line: string, id: string | undefined, at: number): ScanError {
  const expected = endLine(block.dialect, block.id ?? 'abc')
  const message = id === undefined || id === block.id
    ? `End marker '${line.trim()}' must be '${expected}'`
    : `End marker '${id}' doesn't match block ID '${block.id ?? ''}'`
  return s.error('MISMATCHED_END', message, at, line.length, `Write ${expected}`)
}

function otherId(id: string): string {
  return id.length < 8 ? `${id}2` : `${id.slice(0, 7)}${id.endsWith('2') ? '3' : '2'}`
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** Line breaks in `text` between two indices. */
function countLines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

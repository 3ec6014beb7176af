import { countBreaks } from '../../../0-text/src/index.js'
import { endBlock } from './block-end.js'
import { stripColumns } from './columns.js'
import { delimiter, endLine, readHeredocOpener } from './grammar.js'
import { doubtContent } from './heredoc-doubt.js'
import type { BodyLine, ScanError } from './items.js'
import type { OpenBlock, ScanState } from './scan-state.js'
import { isTooLong } from './too-long.js'

/** Opens the heredoc of a body line, well-formed or only recognised. */
export function openHeredoc(s: ScanState, block: OpenBlock, line: BodyLine): void {
  const own = block.id === undefined ? undefined : delimiter(block.dialect, block.id)
  const opener = readHeredocOpener(line.text)
  // Terminators are compared without the blanks around them.
  const word = opener.word?.trim() || own
  if (word === undefined) return
  block.heredoc = {
    delimiter: word,
    line: s.line,
    column: line.offset + line.text.indexOf('<<') + 1,
    crlf: s.next - s.end === 2,
    contentStart: s.abs(s.next),
    target: opener.wellFormed && opener.word === own && !block.nearMiss ? line : undefined,
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
    s.line += countBreaks(s.region, s.pos, s.region.length)
    s.pos = s.region.length
    return false
  }
  const start = found - s.source.base
  s.line += countBreaks(s.region, s.pos, start) + 1
  const newline = s.region.indexOf('\n', start)
  s.pos = newline < 0 ? s.region.length : newline + 1
  block.heredoc = undefined
  // It will not run, and its text is held no more.
  if (block.isTooLong || isTooLong(s, block.start, found)) return true
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
    if (text.charCodeAt(end) === 0x0d) end++
    if (end >= text.length || text.charCodeAt(end) === 0x0a) {
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

/** The text has ended (or, with the index, no terminator comes): what the open heredoc costs. */
export function resolveHeredoc(s: ScanState): void {
  const block = s.block!
  const { delimiter: word, line, column, contentStart, target } = block.heredoc!
  if (target) target.heredoc = ''
  const index = s.index!
  const proper = block.id === undefined ? word : delimiter(block.dialect, block.id)
  if (word !== proper && index.nextWord(proper, contentStart, block.column) !== undefined) {
    // A wrong word that never comes: the block's own delimiter ends what it opened.
    block.heredoc!.delimiter = proper
    s.resumeAt(contentStart, line + 1)
    return
  }
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
    const lastLine = line + 1 + countBreaks(s.region, contentStart - s.source.base, start)
    endBlock(s, block, lastLine, s.abs(stop))
    s.resumeAt(s.abs(newline < 0 ? stop : newline + 1), lastLine + 1)
    return
  }
  const after = index.headersAfter(contentStart)
  if (after > 0) {
    const headers = `${after} header${after === 1 ? '' : 's'}`
    error.hint += ` Nothing after line ${line} was run: ${headers} after it may be its content.`
  } else error.hint = `The answer was cut off here: send the block again, whole. ${error.hint}`
  block.errors.push(error)
  s.cutOff = true
  s.line = line + countBreaks(s.region, contentStart - s.source.base, s.region.length)
  if (s.region.length > contentStart - s.source.base && !s.region.endsWith('\n')) s.line++
  endBlock(s, block, s.line, s.abs(s.region.length))
}

/** The text has ended, and what is open is longer than is held: where its block ends cannot be looked for. */
export function cutOffLong(s: ScanState, block: OpenBlock): void {
  const { delimiter: word, line, column } = block.heredoc!
  s.cutOff = true
  if (s.region !== '' && !s.region.endsWith('\n')) s.line++
  block.errors.push({
    code: 'UNCLOSED_HEREDOC', message: `Heredoc '${word}' of line ${line} is not closed`, line, column,
    length: word.length + 4,
    hint: `Nothing after line ${line} was run: it may be its content. End the value with ${word} on a line of its own.`,
  })
  endBlock(s, block, s.line, s.abs(s.region.length))
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09
}

import { countBreaks } from '../../../../0-text/src/index.js'
import { endBlock } from '../block-end.js'
import { isBlank, stripColumns } from '../columns.js'
import { delimiter, endLine, headerLine, readHeredocOpener } from '../grammar.js'
import type { BodyLine, ScanError } from '../items.js'
import { openAround } from './open-around.js'
import { QuotedHeredocs } from './quoted-heredocs.js'
import type { OpenBlock, OpenHeredoc, ScanState } from '../scan-state.js'
import { isTooLong } from '../too-long.js'

/** Opens the heredoc of a body line, well-formed or only for recognition. */
export function openHeredoc(s: ScanState, block: OpenBlock, line: BodyLine): void {
  const own = block.id === undefined ? undefined : delimiter(block.dialect, block.id)
  const opener = own !== undefined && isPlainOpener(line.text, own) ? { word: own, wellFormed: true }
    : readHeredocOpener(line.text)
  // Terminators are compared without surrounding blanks.
  const word = opener.word?.trim() || own
  if (word === undefined) return
  block.heredoc = {
    delimiter: word,
    line: s.line,
    column: line.offset + line.text.indexOf('<<') + 1,
    crlf: s.next - s.end === 2,
    contentStart: s.abs(s.next),
    target: opener.wellFormed && opener.word === own && !block.nearMiss ? line : undefined,
    quoted: new QuotedHeredocs(block, word),
    lookedTo: s.abs(s.next),
  }
}

/** Fast path for the usual `key = <<'EOT_SHAM_abc'` with the block's own delimiter. */
function isPlainOpener(line: string, own: string): boolean {
  const at = line.length - own.length - 1
  return line.charCodeAt(at + own.length) === 0x27 && line.startsWith(own, at) && PLAIN_BEFORE.test(line.slice(0, at))
}

const PLAIN_BEFORE = /^\w+ ?= ?<<'$/

/**
 * Moves past the open heredoc; false where its terminator is not in the region yet. Only a whole line equal to the
 * delimiter ends it.
 *
 *     content = <<'EOT_abc'
 *     #!END_SHAM_abc                             ← content
 *     ^^^^^^^^^^^^^^
 *     EOT_abc
 */
export function skipHeredoc(s: ScanState): boolean {
  const block = s.block!
  const heredoc = block.heredoc!
  const end = s.index ? indexed(s, block, heredoc) : findTerminator(s, heredoc.delimiter, block.column)
  if (end === undefined) {
    if (s.index) {
      resolveHeredoc(s)
      return true
    }
    s.passTo(s.region.length)
    return false
  }
  const start = end - s.source.base
  s.lineNumber.begin(end, false)
  const newline = s.region.indexOf('\n', start)
  s.pos = newline < 0 ? s.region.length : newline + 1
  const isLong = block.isTooLong || isTooLong(s, block.start, end)
  // Text that is too long is no longer held, and its block does not run, so its first terminator will do.
  if (!isLong && !s.index && heredoc.quoted.terminatorAfter(s.source.slice(heredoc.lookedTo, end)) !== 'own') {
    heredoc.lookedTo = s.abs(s.pos)
    return true
  }
  block.heredoc = undefined
  if (!isLong && heredoc.target) {
    heredoc.target.heredoc = heredocValue(s.source.slice(heredoc.contentStart, end), heredoc.crlf, block.column)
  }
  return true
}

function indexed(s: ScanState, block: OpenBlock, { delimiter: word, contentStart }: OpenHeredoc): number | undefined {
  const isOwn = block.id !== undefined && word === delimiter(block.dialect, block.id)
  const counted = isOwn ? s.index!.nextHeader(block.id!, contentStart) : contentStart
  return s.index!.ownTerminator(word, contentStart, block.column, counted)
}

function findTerminator(s: ScanState, word: string, columns: number): number | undefined {
  const text = s.region
  for (let at = text.indexOf(word, s.pos); at >= 0; at = text.indexOf(word, at + 1)) {
    let start = at
    while (start > s.pos && isBlank(text.charCodeAt(start - 1))) start--
    if (start > s.pos && text.charCodeAt(start - 1) !== 0x0a) continue
    if (stripColumns(text, start, at, columns) !== at) continue
    let end = at + word.length
    while (isBlank(text.charCodeAt(end))) end++
    if (text.charCodeAt(end) === 0x0d) end++
    if (end >= text.length || text.charCodeAt(end) === 0x0a) return s.abs(start)
  }
  return undefined
}

/** The last line break belongs to the terminator: CRLF if the opener line ends so, else LF. */
function heredocValue(raw: string, crlf: boolean, columns: number): string {
  const breakLength = crlf && raw.endsWith('\r\n') ? 2 : raw.endsWith('\n') ? 1 : 0
  const value = raw.slice(0, raw.length - breakLength)
  if (columns === 0) return value
  return value.split('\n').map((line) => line.slice(stripColumns(line, 0, line.length, columns))).join('\n')
}

/**
 * The text has ended (or, with the index, no terminator comes): what the open heredoc costs. The first of these that
 * is there decides:
 *
 * 1. for a wrong word, the block's own delimiter: the terminator that was meant;
 * 2. an end marker of the block that no header of the same id precedes: the block ends there, and reading resumes;
 * 3. a header of its id, and an end marker behind it: a block of the same id or a quoted one, so that the end is in
 *    doubt; reading resumes behind the last end marker of the id;
 * 4. neither: the answer was cut off here, and all that follows may be the block's content.
 */
export function resolveHeredoc(s: ScanState): void {
  const block = s.block!
  const { id } = block
  const heredoc = block.heredoc!
  const { delimiter: word, line, contentStart, target } = heredoc
  if (target) target.heredoc = ''
  const index = s.index!
  const own = id === undefined ? undefined : endLine(block.dialect, id)
  const ownEnd = own === undefined ? undefined : index.nextWord(own, contentStart, block.column + 3)
  const proper = id === undefined ? word : delimiter(block.dialect, id)
  const header = id === undefined ? undefined : index.nextHeader(id, contentStart)
  if (word !== proper && index.ownTerminator(proper, contentStart, block.column, header) !== undefined) {
    block.heredoc = { ...heredoc, delimiter: proper, quoted: new QuotedHeredocs(block, proper) }
    s.resumeAt(contentStart, line + 1)
    return
  }
  const isDoubtful = header !== undefined && (ownEnd === undefined || header < ownEnd)
  const last = isDoubtful ? index.lastEnd(id!, block.column + 3) : ownEnd
  block.heredoc = undefined
  if (last === undefined || last < contentStart) cutOff(s, block, heredoc)
  else if (isDoubtful) {
    endBehind(s, block, heredoc, openAround(s, contentStart, line + 1, last), inDoubt(block, heredoc))
  } else endBehind(s, block, heredoc, last, unclosed(block, heredoc))
}

/** Ends the block at the end marker at `end`; its heredoc never ended. */
function endBehind(s: ScanState, block: OpenBlock, { line, contentStart }: OpenHeredoc, end: number, error: ScanError) {
  block.errors.push(error)
  const start = end - s.source.base
  const newline = s.region.indexOf('\n', start)
  const stop = newline < 0 ? s.region.length : newline
  const lastLine = line + 1 + countBreaks(s.region, contentStart - s.source.base, start)
  endBlock(s, block, lastLine, s.abs(stop))
  s.resumeAt(s.abs(newline < 0 ? stop : newline + 1), lastLine + 1)
}

function cutOff(s: ScanState, block: OpenBlock, heredoc: OpenHeredoc): void {
  const { line, contentStart } = heredoc
  const error = unclosed(block, heredoc)
  const after = s.index!.headersAfter(contentStart)
  if (after > 0) {
    const headers = `${after} header${after === 1 ? '' : 's'}`
    error.hint += ` Nothing after line ${line} was run: ${headers} after it may be its content.`
  } else error.hint = `The answer was cut off here: send the block again, whole. ${error.hint}`
  block.errors.push(error)
  s.cutOff = true
  s.passToEnd()
  endBlock(s, block, s.line, s.abs(s.region.length))
}

function unclosed(block: OpenBlock, { delimiter: word, line, column }: OpenHeredoc): ScanError {
  const end = block.id === undefined ? 'the end marker' : endLine(block.dialect, block.id)
  return {
    code: 'UNCLOSED_HEREDOC', message: `Heredoc '${word}' of line ${line} is not closed`, line, column,
    length: word.length + 4, hint: `End the value with ${word} on a line of its own, then ${end}.`,
  }
}

function inDoubt(block: OpenBlock, heredoc: OpenHeredoc): ScanError {
  const { id = '', dialect } = block
  return {
    ...unclosed(block, heredoc),
    message: `Block '${id}' repeats its own header inside its heredoc '${heredoc.delimiter}', so where it ends is in `
      + 'doubt',
    hint: 'Give each block an id of its own in its header, delimiters and end marker, '
      + `for instance ${headerLine(dialect, otherId(id))}`,
  }
}

function otherId(id: string): string {
  return id.length < 8 ? `${id}2` : `${id.slice(0, 7)}${id.endsWith('2') ? '3' : '2'}`
}

/** The text has ended, and what is open is too long to be held: the end of its block cannot be searched. */
export function cutOffLong(s: ScanState, block: OpenBlock): void {
  const { delimiter: word, line } = block.heredoc!
  s.cutOff = true
  s.passToEnd()
  block.errors.push({
    ...unclosed(block, block.heredoc!),
    hint: `Nothing after line ${line} was run: it may be its content. End the value with ${word} on a line of its own.`,
  })
  endBlock(s, block, s.line, s.abs(s.region.length))
}

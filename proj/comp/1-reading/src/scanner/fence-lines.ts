import { dialectOfFence } from '../dialects/index.js'
import { openFenceCall } from './calls/dialect-fences.js'
import { skipIndent } from './columns.js'
import { matchContainers } from './containers.js'
import {
  closesFence, isBlockFence, isEnvelopeFence, isLiveLanguage, isNearEnvelopeFence, languageOf, readFenceOpener,
  readGluedOpener, VERB_LINE, type FenceOpener,
} from './fences.js'
import { mayBeEdit } from './edits/edit-lines.js'
import { DIFF_LANGUAGES } from './edits/edit-markers.js'
import { mayNameFile, pathOfFirstLine } from './edits/edit-paths.js'
import { fenceEdit } from './edits/fence-edits.js'
import { readHeader, TOOL_CALL_OPEN } from './grammar.js'
import { hiddenMarker } from './hidden-markers.js'
import { lineError, type EnvelopeItem, type ScanError } from './items.js'
import { mayStartQuote, QuotedBlocks, type QuotedBlock } from './quoted-blocks.js'
import { fenceReason } from './place.js'
import { openQuotingFence } from './quoting-fence.js'
import type { OpenEnvelope, OpenFence, ScanState } from './scan-state.js'
import { indented, markerLine } from './marker-lines.js'
import { openBlock } from './sham-lines.js'
import { isTooLong, tooLong } from './too-long.js'
import { bulletWithBlock, seenIn } from './what-begins.js'
import { namedFile, openWholeFile, tellOfFence } from './edits/whole-file-lines.js'

/** Opens the fence on the current line. */
export function openFence(s: ScanState, opener: FenceOpener, indent: number): number {
  s.leaveProse()
  if (isEnvelopeFence(opener.info)) {
    const { char, length, info, isHidden } = opener
    s.envelope = {
      char, length, info, indent, startLine: s.line, start: s.abs(s.lineStart), contentStart: s.abs(s.next),
      ...(isHidden && { isHidden }),
    }
    return -1
  }
  const { info } = opener
  const mayBeFile = !isBlockFence(info) && !isNearEnvelopeFence(info)
  const call = mayBeFile && s.formats.size > 0 ? dialectOfFence(languageOf(info), info, s.formats) : undefined
  if (call && !call.form.isCommand) return openFenceCall(s, call, opener, indent)
  if (mayBeFile && s.formats.has('whole') && openWholeFile(s, opener, indent, call)) return -1
  // With a path it is a file, also where command fences are read.
  if (call) return openFenceCall(s, call, opener, indent)
  openQuotingFence(s, opener, indent, isLiveLanguage(opener.info))
  if (mayBeFile && !s.formats.has('whole')) s.fence!.namesFile = namedFile(s, opener)
  s.fence!.isDiff = !s.formats.has('unified') && DIFF_LANGUAGES.includes(languageOf(opener.info))
  return -1
}

/** Collects the blocks that the open fence quotes; created lazily, since most fences quote none. */
function quotesOf(s: ScanState, fence: OpenFence): QuotedBlocks {
  if (fence.quotes) return fence.quotes
  fence.quotes = new QuotedBlocks(fenceReason(fence), (quoted) => {
    s.emit({ kind: 'skipped', block: quoted.block, ...(quoted.isOpen && { isOpen: true }) })
    const opener = quoted.fence
    if (opener && opener.char === fence.char && opener.length >= fence.length) {
      hiddenBlock(s, quoted, 'NOT_LIVE',
        `This fence opens inside the one of line ${fence.startLine}, which its closing line will close`,
        `Close the fence of line ${fence.startLine} before it to run it, `
          + `or give that fence more ${fence.char} than this one to quote it.`)
    } else fence.hidden.push(quoted)
  }, s.formats)
  return fence.quotes
}

/** Reads a line that the open fence only shows. */
function quoteLine(s: ScanState, fence: OpenFence, at: number): void {
  if (at < s.end && (fence.quotes || mayStartQuote(s.region.charCodeAt(at)) || mayBeEdit(s.region.charCodeAt(at)))) {
    quotesOf(s, fence).line(s.region.slice(at, s.end), s.line)
  }
}

function hiddenBlock(
  s: ScanState, { block, source }: QuotedBlock, code: ScanError['code'], message: string, hint: string,
): void {
  const { startLine, endLine, blockId } = block
  const errors = [lineError(code, startLine, message, hint, source.split('\n', 1)[0]!.length)]
  s.emit({ kind: 'section-error', startLine, endLine, source, errors, ...(blockId !== undefined && { blockId }) })
}

/**
 * A line of an open fence: its end, an edit or a block that is read there, else content that is only shown.
 *
 *     ```python
 *     #!SHAM [@three-char-SHA-256: abc]          ← listed as skipped, never run
 *     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 *     ```
 */
export function fenceLine(s: ScanState): number {
  const fence = s.fence!
  const text = s.region
  const cursor = { at: s.at, column: 0 }
  if (matchContainers(s.list, text, cursor, s.end) < s.list.length) {
    closeFence(s, s.line - 1)
    return s.at
  }
  const indent = skipIndent(text, cursor, s.end)
  if (indent <= 3) {
    if (closesFence(fence, text, cursor.at, s.end)) {
      closeFence(s, s.line - 1, true)
      return -1
    }
    const glued = readGluedOpener(fence, text, cursor.at, s.end)
    if (glued) {
      closeFence(s, s.line - 1)
      return openFence(s, glued, indent)
    }
  }
  if (fence.nearEnvelope && VERB_LINE.test(text.slice(cursor.at, Math.min(s.end, cursor.at + 40)))) {
    nearEnvelope(s, fence)
  }
  if (s.line === fence.startLine + 1 && fence.namesFile === undefined && mayNameFile(text, cursor.at)) {
    if (!s.formats.has('whole')) fence.namesFile = pathOfFirstLine(text.slice(cursor.at, s.end))
  }
  const edit = fenceEdit(s, fence, cursor, indent - Math.min(indent, fence.indent))
  if (edit !== undefined) return edit
  if (indent <= 3 && showsBlock(s, fence, cursor)) return -1
  if (!fence.live) {
    quoteLine(s, fence, cursor.at)
    return -1
  }
  return liveFenceLine(s, cursor, indent - Math.min(indent, fence.indent))
}

/**
 * Handles a block below an opener that this fence cannot quote (such as a doubled line). The block is recognised to its
 * end, heredocs included, so that a fence in its content does not close this one and make what follows live.
 *
 *     ```sh sham
 *     ```sh sham                                 ← closes with the fence around it
 *     #!SHAM [@three-char-SHA-256: abc]          ← recognised, never run
 *     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 */
function showsBlock(s: ScanState, fence: OpenFence, { at, column }: { at: number; column: number }): boolean {
  const text = s.region
  if (text.charAt(at) === fence.char) {
    const opener = readFenceOpener(text, at, s.end)
    if (opener && opener.length >= fence.length) fence.showsBlocks = isBlockFence(opener.info)
    return false
  }
  if (!fence.showsBlocks || text.charCodeAt(at) !== 0x23) return false
  const header = readHeader(text.slice(at, s.end))
  if (header?.problem !== undefined || header?.id === undefined) return false
  quoteLine(s, fence, at)
  openBlock(s, header, at, column)
  s.block!.quotes = quotesOf(s, fence)
  return true
}

/** Reports a fence that says hermes in a wrong way and holds a verb, so was meant to run. */
function nearEnvelope(s: ScanState, fence: OpenFence): void {
  fence.nearEnvelope = false
  s.nearMiss(
    s.error('INVALID_ENVELOPE', `The fence of line ${fence.startLine} is marked '${fence.info}'`, s.lineStart, 0,
      `Write hermes as a word of its own to run it: ${fence.char.repeat(fence.length)}yaml hermes`),
    undefined, fence.startLine,
  )
}

/** A line of a plain or shell fence, in which blocks are live, except in an inner fence. */
function liveFenceLine(s: ScanState, cursor: { at: number; column: number }, indent: number): number {
  const fence = s.fence!
  const text = s.region
  if (cursor.at >= s.end) return -1
  if (fence.inner) {
    if (indent <= 3 && closesFence(fence.inner, text, cursor.at, s.end)) fence.inner = undefined
    quoteLine(s, fence, cursor.at)
    return -1
  }
  if (indent >= 4) return indented(s, cursor.at)
  s.endAside()
  const begins = seenIn(s, 'live fence', cursor.at)
  if (begins === 'hermes fence' || begins === 'other fence') {
    fence.inner = readFenceOpener(text, cursor.at, s.end)
    quoteLine(s, fence, cursor.at)
  } else if (begins === 'header' || begins === 'end marker') {
    fence.quotes?.close(s.line - 1)
    fence.namesFile = undefined
    markerLine(s, cursor.at, cursor.column)
  } else if (text.startsWith(TOOL_CALL_OPEN, cursor.at)) quoteLine(s, fence, cursor.at)
  else if (text.charCodeAt(cursor.at) >= 0x80) hiddenMarker(s, cursor.at)
  return -1
}

function closeFence(s: ScanState, line: number, byCloser = false): void {
  s.endAside()
  s.fence!.quotes?.close(line, byCloser)
  tellOfFence(s, s.fence!, line)
  s.fence = undefined
}

/** The text has ended inside a fence: reports what it hid and may have been meant to run. */
export function endFence(s: ScanState): void {
  const { hidden, startLine } = s.fence!
  closeFence(s, s.line)
  for (const quoted of hidden) {
    hiddenBlock(s, quoted, 'UNCLOSED_FENCE', `The fence of line ${startLine} is never closed and hides this block`,
      `Close the fence of line ${startLine} before the block to run it, or after it to quote it.`)
  }
}

/**
 * A line of an open envelope, which its closing fence ends; what `SEEN_IN` names in the fence's own column, too, if the
 * closing fence never comes.
 *
 *     ```yaml hermes
 *     - verb: ls
 *     ^^^^^^^^^^
 *     ```
 */
export function envelopeLine(s: ScanState): number {
  const envelope = s.envelope!
  const text = s.region
  const cursor = { at: s.at, column: 0 }
  if (matchContainers(s.list, text, cursor, s.end) < s.list.length) return leaveEnvelope(s, envelope)
  const indent = skipIndent(text, cursor, s.end)
  // The fence of an envelope closes only at its own column or left of it; a fence in a block scalar is content.
  if (indent > envelope.indent) return -1
  if (closesFence(envelope, text, cursor.at, s.end)) {
    endEnvelope(s, true)
    return -1
  }
  const glued = readGluedOpener(envelope, text, cursor.at, s.end)
  if (glued) {
    endEnvelope(s, true)
    return openFence(s, glued, indent)
  }
  const ends = seenIn(s, 'envelope', cursor.at)
  if (ends === 'hermes fence') return leaveEnvelope(s, envelope)
  if (ends === undefined && !bulletWithBlock(s, cursor.at)) return -1
  // A closing line that is too short opens nothing: reading resumes behind it.
  if (ends === 'other fence' && isShortCloser(envelope, text.slice(cursor.at, s.end))) {
    envelope.resume ??= { at: s.abs(s.next), line: s.line + 1 }
    return -1
  }
  envelope.resume ??= { at: s.abs(s.lineStart), line: s.line }
  if (ends === 'header' || ends === 'call') envelope.foreign ??= s.line
  return -1
}

function isShortCloser({ char, length }: OpenEnvelope, line: string): boolean {
  const run = line.trimEnd()
  return run.length < length && run === char.repeat(run.length)
}

/** The fence can no longer close: ends the envelope here, or where something else began in its lines. */
function leaveEnvelope(s: ScanState, envelope: OpenEnvelope): number {
  const { resume } = envelope
  endEnvelope(s, false, resume ? resume.line - 1 : undefined)
  if (!resume) return s.at
  s.resumeAt(resume.at, resume.line)
  return -1
}

/** The text has ended with the envelope open. */
export function endEnvelopeAtEnd(s: ScanState, envelope: OpenEnvelope): void {
  s.lineStart = s.region.length
  if (envelope.resume) leaveEnvelope(s, envelope)
  else endEnvelope(s, false, s.line)
}

/** Ends the open envelope: with the current line if closed, else before it. */
export function endEnvelope(s: ScanState, closed: boolean, endLine = closed ? s.line : s.line - 1): void {
  const envelope = s.envelope!
  s.envelope = undefined
  const before = s.abs(s.lineStart)
  const isLong = envelope.isTooLong || isTooLong(s, envelope.start, before)
  const item: EnvelopeItem = {
    kind: 'envelope',
    language: languageOf(envelope.info),
    content: closed && !isLong ? envelopeContent(s, envelope, before) : '',
    contentLine: envelope.startLine + 1,
    contentOffset: contentColumns(s, envelope),
    startLine: envelope.startLine,
    endLine: Math.max(envelope.startLine, endLine),
    source: s.sourceText(envelope.start, closed ? s.abs(s.end) : endLine >= s.line ? s.abs(s.end) : before),
    errors: isLong ? [tooLong(s, envelope.startLine)] : !closed ? [unclosed(envelope)]
      : envelope.foreign ? [notContent(envelope, envelope.foreign)] : [],
  }
  if (closed && envelope.foreign) item.isOpen = true
  s.emit(item)
}

function unclosed({ info, startLine, char, length }: OpenEnvelope): ScanError {
  const hint = `Close it with ${char.repeat(length)} on a line of its own, indented no more than its opening line.`
  return lineError('UNCLOSED_BLOCK', startLine, `The ${info} fence of line ${startLine} is not closed`, hint, length)
}

function notContent({ info, startLine, char, length }: OpenEnvelope, line: number): ScanError {
  return lineError('INVALID_ENVELOPE', line,
    `Another block begins in line ${line}, inside the ${info} fence of line ${startLine}`,
    `Close the fence with ${char.repeat(length)} before line ${line}, and write both blocks again. Text that quotes a `
      + 'block stands indented, below a key with |.')
}

function envelopeContent(s: ScanState, envelope: OpenEnvelope, end: number): string {
  const raw = s.source.slice(envelope.contentStart, end)
  const columns = contentColumns(s, envelope)
  if (columns === 0) return raw
  const indentation = new RegExp(`^[ \\t]{1,${columns}}`)
  return raw.split('\n').map((line) => line.replace(indentation, '')).join('\n')
}

/** Columns that containers and fence take from each line of the content. */
function contentColumns(s: ScanState, envelope: OpenEnvelope): number {
  return s.list.reduce((sum, item) => sum + item.width, envelope.indent)
}

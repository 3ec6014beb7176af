import { skipIndent } from './columns.js'
import { matchContainers } from './containers.js'
import {
  closesFence, holdsVerb, isBlockFence, isEnvelopeFence, isLiveLanguage, isNearEnvelopeFence, languageOf, readFenceOpener,
  readGluedOpener, type FenceOpener,
} from './fences.js'
import { mayBeEdit } from './edits/edit-lines.js'
import { fenceEdit } from './edits/fence-edits.js'
import { mayBeMarker, TOOL_CALL_OPEN } from './grammar.js'
import { hiddenMarker } from './hidden-markers.js'
import type { ScanError } from './items.js'
import { mayStartQuote, QuotedBlocks, type QuotedBlock } from './quoted-blocks.js'
import { openQuotingFence } from './quoting-fence.js'
import type { OpenEnvelope, OpenFence, ScanState } from './scan-state.js'
import { indented, markerLine } from './marker-lines.js'
import { isTooLong, tooLong } from './too-long.js'
import { openWholeFile } from './edits/whole-file-lines.js'

/** A fence opens on the current line. */
export function openFence(s: ScanState, opener: FenceOpener, indent: number): number {
  s.endAside()
  s.paragraph = false
  if (isEnvelopeFence(opener.info)) {
    s.envelope = { ...opener, indent, startLine: s.line, start: s.abs(s.lineStart), contentStart: s.abs(s.next) }
    return -1
  }
  const mayBeFile = s.formats.has('search-replace') && !isBlockFence(opener.info) && !isNearEnvelopeFence(opener.info)
  if (!mayBeFile || !openWholeFile(s, opener, indent)) openQuotingFence(s, opener, indent, isLiveLanguage(opener.info))
  return -1
}

/** What the open fence quotes; made when a line first needs it, since most fences quote no block. */
function quotesOf(s: ScanState, fence: OpenFence): QuotedBlocks {
  if (fence.quotes) return fence.quotes
  const reason = fence.live || isBlockFence(fence.info) ? 'inside another fence'
    : `in a fence of language ${languageOf(fence.info)}`
  fence.quotes = new QuotedBlocks(reason, (quoted) => {
    s.emit({ kind: 'skipped', block: quoted.block })
    const opener = quoted.fence
    if (opener && opener.char === fence.char && opener.length >= fence.length) {
      hiddenBlock(s, quoted, {
        code: 'NOT_LIVE',
        message: `This fence opens inside the one of line ${fence.startLine}, which its closing line will close`,
        hint: `Close the fence of line ${fence.startLine} before it to run it, `
          + `or give that fence more ${fence.char} than this one to quote it.`,
      })
    } else fence.hidden.push(quoted)
  }, s.formats)
  return fence.quotes
}

/** A line the open fence shows. */
function quoteLine(s: ScanState, fence: OpenFence, at: number): void {
  if (at < s.end && (fence.quotes || mayStartQuote(s.region.charCodeAt(at)) || mayBeEdit(s.region.charCodeAt(at)))) {
    quotesOf(s, fence).line(s.region.slice(at, s.end), s.line)
  }
}

function hiddenBlock(s: ScanState, quoted: QuotedBlock, error: Pick<ScanError, 'code' | 'message' | 'hint'>): void {
  const { block, source } = quoted
  s.emit({
    kind: 'section-error',
    startLine: block.startLine,
    endLine: block.endLine,
    source,
    errors: [{ ...error, line: block.startLine, column: 1, length: source.split('\n', 1)[0]!.length }],
    ...(block.blockId !== undefined && { blockId: block.blockId }),
  })
}

export function fenceLine(s: ScanState): number {
  const fence = s.fence!
  const text = s.region
  const cursor = { at: s.at, column: 0 }
  const matched = matchContainers(s.list, text, cursor, s.end)
  if (matched < s.list.length) {
    closeFence(s, s.line - 1)
    return s.at
  }
  const indent = skipIndent(text, cursor, s.end)
  if (indent <= 3) {
    if (closesFence(fence, text, cursor.at, s.end)) {
      closeFence(s, s.line - 1)
      return -1
    }
    const glued = readGluedOpener(fence, text, cursor.at, s.end)
    if (glued) {
      closeFence(s, s.line - 1)
      return openFence(s, glued, indent)
    }
  }
  if (fence.nearEnvelope && holdsVerb(text.slice(cursor.at, Math.min(s.end, cursor.at + 40)))) {
    nearEnvelope(s, fence)
  }
  const edit = fenceEdit(s, fence, cursor, indent - Math.min(indent, fence.indent))
  if (edit !== undefined) return edit
  if (!fence.live) {
    quoteLine(s, fence, cursor.at)
    return -1
  }
  return liveFenceLine(s, cursor, indent - Math.min(indent, fence.indent))
}

/** A fence that says hermes in the wrong way and holds a verb was meant to run. */
function nearEnvelope(s: ScanState, fence: OpenFence): void {
  fence.nearEnvelope = false
  const error =
    s.error('INVALID_ENVELOPE', `The fence of line ${fence.startLine} is marked '${fence.info}'`, s.lineStart, 0,
    `Write hermes as a word of its own to run it: ${fence.char.repeat(fence.length)}yaml hermes`)
  s.nearMiss(error)
}

/** A line of a plain or shell fence: blocks are live in it, but not what an inner fence shows. */
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
  const inner = readFenceOpener(text, cursor.at, s.end)
  if (inner) {
    fence.inner = inner
    quoteLine(s, fence, cursor.at)
    return -1
  }
  const code = text.charCodeAt(cursor.at)
  if (mayBeMarker(code)) {
    fence.quotes?.close(s.line - 1)
    markerLine(s, cursor.at, cursor.column)
  } else if (text.startsWith(TOOL_CALL_OPEN, cursor.at)) quoteLine(s, fence, cursor.at)
  else if (code >= 0x80) hiddenMarker(s, cursor.at)
  return -1
}

function closeFence(s: ScanState, line: number): void {
  s.endAside()
  s.fence!.quotes?.close(line)
  s.fence = undefined
}

/** The text has ended inside a fence: what it hid may have been meant to run. */
export function endFence(s: ScanState): void {
  const { hidden, startLine } = s.fence!
  closeFence(s, s.line)
  for (const quoted of hidden) {
    hiddenBlock(s, quoted, {
      code: 'UNCLOSED_FENCE',
      message: `The fence of line ${startLine} is never closed and hides this block`,
      hint: `Close the fence of line ${startLine} before the block to run it, or after it to quote it.`,
    })
  }
}

export function envelopeLine(s: ScanState): number {
  const envelope = s.envelope!
  const text = s.region
  const cursor = { at: s.at, column: 0 }
  if (matchContainers(s.list, text, cursor, s.end) < s.list.length) {
    endEnvelope(s, false)
    return s.at
  }
  const indent = skipIndent(text, cursor, s.end)
  // An envelope's fence closes only at its own column or left of it, so that a fence in a block scalar is content.
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
  const opener = readFenceOpener(text, cursor.at, s.end)
  if (opener && isBlockFence(opener.info)) {
    endEnvelope(s, false)
    const { line } = s
    s.line = envelope.startLine
    openQuotingFence(s, envelope, envelope.indent, false)
    s.line = line
    return s.at
  }
  return -1
}

/** Ends the open envelope: with the current line when it is closed, before it when not. */
export function endEnvelope(s: ScanState, closed: boolean, endLine = closed ? s.line : s.line - 1): void {
  const envelope = s.envelope!
  s.envelope = undefined
  const before = s.abs(s.lineStart)
  const isLong = envelope.isTooLong || isTooLong(s, envelope.start, before)
  s.emit({
    kind: 'envelope',
    language: languageOf(envelope.info),
    content: closed && !isLong ? envelopeContent(s, envelope, before) : '',
    contentLine: envelope.startLine + 1,
    contentOffset: contentColumns(s, envelope),
    startLine: envelope.startLine,
    endLine: Math.max(envelope.startLine, endLine),
    source: s.sourceText(envelope.start, closed ? s.abs(s.end) : endLine >= s.line ? s.abs(s.end) : before),
    errors: isLong ? [tooLong(s, envelope.startLine)] : closed ? [] : [{
      code: 'UNCLOSED_BLOCK',
      message: `The ${envelope.info} fence of line ${envelope.startLine} is not closed`,
      line: envelope.startLine,
      column: 1,
      length: envelope.length,
      hint: `Close it with ${envelope.char.repeat(envelope.length)} on a line of its own, `
        + 'indented no more than its opening line.',
    }],
  })
}

function envelopeContent(s: ScanState, envelope: OpenEnvelope, end: number): string {
  const raw = s.source.slice(envelope.contentStart, end)
  const columns = contentColumns(s, envelope)
  if (columns === 0) return raw
  const indentation = new RegExp(`^[ \\t]{1,${columns}}`)
  return raw.split('\n').map((line) => line.replace(indentation, '')).join('\n')
}

/** Columns that containers and fence take before each line of the content. */
function contentColumns(s: ScanState, envelope: OpenEnvelope): number {
  return s.list.reduce((sum, item) => sum + item.width, envelope.indent)
}

import { dialectOfToolCall } from '../../dialects/index.js'
import { CallEnd } from './call-end.js'
import { skipIndent } from '../columns.js'
import { openDialect, openDialectAt } from './dialect-lines.js'
import { TOOL_CALL_CLOSE, TOOL_CALL_OPEN } from '../grammar.js'
import { MAX_AROUND, type ScanError, type ToolCallItem } from '../items.js'
import { tailOfCall } from '../line-tail.js'
import type { OpenCall, ScanState } from '../scan-state.js'
import { isTooLong, tooLong } from '../too-long.js'
import { bulletWithBlock, seenIn } from '../what-begins.js'

/** Longest beginning of a call's content in which its dialect is looked for. */
const MAX_NAME = 300

/** Opens the tool call with its tag at `at`, and reads the rest of the line. */
export function openCall(s: ScanState, at: number): number {
  s.callNext = false
  const content = at + TOOL_CALL_OPEN.length
  const other = dialectOfToolCall(s.region.slice(content, Math.min(s.end, content + MAX_NAME)).trimStart())
  if (other) return openDialect(s, other, at)
  s.call = {
    startLine: s.line,
    start: s.abs(at),
    lineStart: s.abs(s.lineStart),
    contentStart: s.abs(content),
    contentOffset: content - s.lineStart,
    before: at - s.lineStart > MAX_AROUND ? undefined : s.region.slice(s.lineStart, at),
    end: new CallEnd(TOOL_CALL_CLOSE),
    resume: { at: s.abs(s.next), line: s.line + 1 },
  }
  s.at = content
  return readCall(s)
}

/**
 * A further line of an open call. What `SEEN_IN` names ends it, except in a string that a line end broke, which may
 * quote it.
 *
 *     <tool_call>
 *     {"name": "ls"}
 *     ^^^^^^^^^^^^^^
 *     </tool_call>
 */
export function callLine(s: ScanState): number {
  const cursor = { at: s.at, column: 0 }
  const indent = skipIndent(s.region, cursor, s.end)
  const call = s.call!
  const other = call.end.any ? undefined
    : dialectOfToolCall(s.region.slice(cursor.at, Math.min(s.end, cursor.at + MAX_NAME)))
  if (other) {
    s.call = undefined
    const offset = call.contentOffset - TOOL_CALL_OPEN.length
    openDialectAt(s, other, { at: call.start, line: call.startLine, offset })
    return s.at
  }
  const ends = call.end.broken || indent > 3 ? undefined
    : seenIn(s, 'call', cursor.at) ?? (bulletWithBlock(s, cursor.at) ? 'header' : undefined)
  if (ends === undefined) return readCall(s)
  if (!call.end.started) {
    // Some models open a fence right below the tag.
    if (ends !== 'other fence') {
      resolveCall(s, false)
      return -1
    }
    call.isFenced = true
    return readCall(s)
  }
  if (call.end.balancedAt !== undefined) {
    if (isTooLong(s, call.start, s.abs(s.lineStart))) {
      endCall(s, call, s.abs(s.lineStart), s.line - 1, [])
      return s.at
    }
    // Behind the object, the fence closes.
    if (ends === 'other fence' && call.isFenced) {
      call.isFenced = false
      return readCall(s)
    }
    resolveCall(s, false)
    return -1
  }
  endCall(s, call, s.abs(s.lineStart), s.line - 1, [unclosed(call)])
  return s.at
}

function readCall(s: ScanState): number {
  const call = s.call!
  const balanced = call.end.balancedAt
  const close = call.end.line(s.region, s.at, s.end, s.source.base)
  if (close >= 0) {
    const started = call.end.started
    const after = close + TOOL_CALL_CLOSE.length
    endCall(s, call, s.abs(close), s.line, started ? [] : [notAnObject(call)], s.abs(after), call.end.broken)
    return afterCall(s, after)
  }
  if (balanced === undefined && call.end.balancedAt !== undefined) call.resume = { at: s.abs(s.next), line: s.line + 1 }
  return -1
}

/** Right behind a closing tag another call may start; anything else on the line is prose. */
function afterCall(s: ScanState, from: number): number {
  const at = s.skipBlanks(from)
  if (at >= s.end) return -1
  if (!s.region.startsWith(TOOL_CALL_OPEN, at)) return tailOfCall(s, at)
  // Not opened from here, which would recurse: a line may hold any number of calls.
  s.callNext = true
  return at
}

/** No closing tag came before the next call or the end of the text: decides what becomes of the call. */
export function resolveCall(s: ScanState, atEnd: boolean): void {
  const call = s.call!
  const { any, started, balancedAt } = call.end
  const isCutOff = !any || (started && balancedAt === undefined)
  if (atEnd && (isCutOff || isTooLong(s, call.start, s.abs(s.region.length)))) {
    endCall(s, call, s.abs(s.region.length), s.line, [unclosed(call)], undefined, true)
    return
  }
  const { at, line } = call.resume
  if (balancedAt === undefined) endCall(s, call, at, call.startLine, [notAnObject(call)])
  else endCall(s, call, balancedAt, line - 1, [])
  s.resumeAt(at, line)
}

/**
 * Emits the call.
 *
 * @param end where its content ends
 * @param sourceEnd where its text ends
 * @param isOpen its true end is unknown: it may have been ended by another call's closing tag, or by none
 */
function endCall(
  s: ScanState, call: OpenCall, end: number, endLine: number, scanErrors: ScanError[], sourceEnd = end, isOpen = false,
): void {
  s.call = undefined
  const errors = isTooLong(s, call.start, sourceEnd)
    ? [tooLong(s, call.startLine, call.contentOffset - TOOL_CALL_OPEN.length + 1)] : scanErrors
  const around = sourceEnd === end ? undefined : textAround(s, call, sourceEnd - s.source.base)
  s.emit({
    kind: 'tool-call',
    content: errors.length > 0 ? '' : s.source.slice(call.contentStart, end),
    contentLine: call.startLine,
    contentOffset: call.contentOffset,
    startLine: call.startLine,
    endLine: Math.max(call.startLine, endLine),
    source: s.sourceText(call.start, sourceEnd).trimEnd(),
    ...(around !== undefined && { around }),
    errors,
    ...(isOpen && { isOpen }),
  })
}

function textAround(s: ScanState, { before }: OpenCall, after: number): ToolCallItem['around'] {
  if (before === undefined || s.end - after > MAX_AROUND) return undefined
  return { before, after: s.region.slice(after, s.end) }
}

function unclosed(call: OpenCall): ScanError {
  return atTag(call, 'UNCLOSED_BLOCK', 'The tool call is cut off: its JSON object never ends',
    'Write the whole call again: <tool_call>{"name": "…", "arguments": {…}}</tool_call>')
}

function notAnObject(call: OpenCall): ScanError {
  return atTag(call, 'INVALID_TOOL_CALL', 'A tool call holds one JSON object',
    'Write <tool_call>{"name": "…", "arguments": {…}}</tool_call>, or put the tag in backticks to speak of it.')
}

function atTag(call: OpenCall, code: ScanError['code'], message: string, hint: string): ScanError {
  const length = TOOL_CALL_OPEN.length
  return { code, message, line: call.startLine, column: call.contentOffset - length + 1, length, hint }
}

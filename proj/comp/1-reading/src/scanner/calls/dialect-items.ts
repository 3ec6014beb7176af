import type { Fix } from '../../../../0-contracts/src/index.js'
import type { ClosingPhase, FieldsPhase, InCall, OpenDialect, Step, ValuePhase } from './dialect-state.js'
import { MAX_AROUND, type DialectCallItem, type ScanError, type TextPlace } from '../items.js'
import type { ScanState } from '../scan-state.js'
import { isTooLong, tooLong } from '../too-long.js'

/** Index `at` of the current line as a place in the whole text. */
export function placeAt(s: ScanState, at: number): TextPlace {
  return { at: s.abs(at), line: s.line, offset: at - s.lineStart }
}

/** Emits a call with JSON or Python arguments that ended, closer included, at `end`. */
export function endSpan(s: ScanState, open: OpenDialect, call: ClosingPhase, end: TextPlace): void {
  const { at, line, offset } = call.content
  emit(s, open, call, end, [], {
    body: call.form.kind, content: s.source.slice(at, call.end.at), contentLine: line, contentOffset: offset,
    ...(call.form.kind === 'json' && call.form.keys && { keys: call.form.keys }),
    ...aroundOf(s, call, end),
  })
}

/** Emits a call with elements that ended at `end`. */
export function endFields(s: ScanState, open: OpenDialect, call: FieldsPhase | ValuePhase, end: TextPlace): void {
  emit(s, open, call, end, [], { body: 'fields', fields: call.fields })
}

/** An error of the open call or wrapper. */
export interface Failure {
  code?: 'UNCLOSED_BLOCK' | 'INVALID_TOOL_CALL'
  message: string
  end: TextPlace
  hint?: string
  fix?: Fix
  /** The end of the call is unknown. */
  isOpen?: boolean
}

/** Emits an error for what is open; the dialect stays open for further calls. */
export function failCall(s: ScanState, open: OpenDialect, failure: Failure): void {
  const { code = 'INVALID_TOOL_CALL', message, end, isOpen } = failure
  const call = open.call ?? { item: open.opened, start: open.opened, name: undefined, id: undefined }
  const { shape } = open.dialect
  const { line, offset } = call.start
  const hint = failure.hint ?? `Write ${shape}`
  const error: ScanError = { code, message, line, column: offset + 1, length: 0, hint }
  if (failure.fix) error.fix = failure.fix
  emit(s, open, { name: undefined, id: undefined, ...call }, end, [error], { body: 'fields', fields: [] }, isOpen)
}

/** Emits an error for the sentinel's line only; the lines below are read as usual. */
export function giveUp(s: ScanState, open: OpenDialect, message: string): Step {
  const { at, line } = open.call?.start ?? open.opened
  const end = s.source.slice(at, s.abs(s.region.length)).indexOf('\n')
  const next = end < 0 ? s.abs(s.region.length) : at + end + 1
  failCall(s, open, { message, end: { at: next, line, offset: 0 }, isOpen: true })
  s.dialect = undefined
  s.resumeAt(next, line + 1)
  return { at: -1, leaves: true }
}

/** Something else begins in the current line before the call has ended: only the call fails. */
export function endBefore(s: ScanState, open: OpenDialect, message: string): Step {
  failCall(s, open, {
    code: 'UNCLOSED_BLOCK', message, end: { at: s.abs(s.lineStart), line: s.line - 1, offset: 0 },
  })
  s.dialect = undefined
  return { at: s.lineStart, leaves: true }
}

type Body = Pick<
  DialectCallItem, 'body' | 'content' | 'contentLine' | 'contentOffset' | 'fields' | 'keys' | 'around'
>

function emit(
  s: ScanState, open: OpenDialect, call: InCall & { content?: TextPlace }, end: TextPlace, scanErrors: ScanError[],
  body: Partial<Body>, isOpen = false,
): void {
  const { item, start, name, id } = call
  const errors = isTooLong(s, item.at, end.at) ? [tooLong(s, start.line, start.offset + 1)] : scanErrors
  open.call = undefined
  open.opened = end
  s.resultMark = open.dialect.resultMark ?? s.resultMark
  open.count++
  s.emit({
    kind: 'dialect-call', dialect: open.dialect, sentinelLine: (call.content ?? start).line, name, id,
    body: 'fields', fields: [], content: '', contentLine: start.line, contentOffset: start.offset,
    ...(errors.length === 0 && body),
    startLine: item.line, endLine: Math.max(item.line, end.line), source: s.sourceText(item.at, end.at).trimEnd(),
    errors, ...(isOpen && { isOpen }),
  })
}

/** Text before and behind the arguments on the call's lines, for a fix. */
function aroundOf(
  s: ScanState, { content, start, end: last }: ClosingPhase, end: TextPlace,
): Pick<Body, 'around'> | undefined {
  const from = start.at - start.offset
  const lineEnd = s.source.slice(end.at, Math.min(end.at + MAX_AROUND + 2, s.abs(s.region.length))).search(/\r?\n|$/)
  if (content.at - from > MAX_AROUND || lineEnd > MAX_AROUND) return undefined
  const before = s.source.slice(from, content.at)
  const after = s.source.slice(last.at, end.at + lineEnd)
  return { around: { before, after, startLine: start.line, endLine: end.line } }
}

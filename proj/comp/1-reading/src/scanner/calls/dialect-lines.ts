import { isRead, type DialectOpener } from '../../dialects/index.js'
import { closingLine, spanLine } from './dialect-arguments.js'
import { brokenLine, endValues, fieldsLine, valueLine } from './dialect-elements.js'
import { giveBack, headLine } from './dialect-heads.js'
import { dialectHere, isLikely } from './dialect-here.js'
import { endSpan, failCall, placeAt } from './dialect-items.js'
import type { HeadPhase, OpenDialect, Step } from './dialect-state.js'
import { TOOL_CALL_OPEN } from '../grammar.js'
import type { TextPlace } from '../items.js'
import { tailOfCall } from '../line-tail.js'
import type { ScanState } from '../scan-state.js'
import { sectionAt } from '../section-kinds.js'

/**
 * Opens the calls of a dialect whose sentinel, or wrapper around several, stands at `at`, and reads the rest of its
 * line. Up to their end `dialectLine` reads each further line.
 */
export function openDialect(s: ScanState, opener: DialectOpener, at: number): number {
  s.endAside()
  openDialectAt(s, opener, placeAt(s, at))
  s.paragraph = false
  return advance(s, s.dialect!, opener.wrapper ? at + opener.text.length : at)
}

/** As `openDialect`, for a sentinel on an earlier line with nothing behind it so far. */
export function openDialectAt(s: ScanState, opener: DialectOpener, at: TextPlace): void {
  const { dialect, wrapper, forms } = opener
  const head: HeadPhase = { phase: 'head', item: at, start: at, forms }
  if (isLikely(opener)) head.isLikely = { paragraph: s.paragraph }
  s.dialect = { dialect, wrapper, opened: at, count: 0, call: wrapper ? undefined : head }
}

/**
 * A further line, while calls of a dialect are open.
 *
 *     <function_calls>
 *     <invoke name="ls">
 *     ^^^^^^^^^^^^^^^^^^
 */
export function dialectLine(s: ScanState): number {
  return advance(s, s.dialect!, s.at)
}

/** The text has ended with calls open; reading may resume inside. */
export function resolveDialect(s: ScanState): void {
  const open = s.dialect!
  const { call, dialect, wrapper, count } = open
  s.dialect = undefined
  const end = { at: s.abs(s.region.length), line: s.line, offset: 0 }
  if (call?.phase === 'head' && call.isLikely) return giveBack(s, open, call)
  if (call?.phase === 'closing' && call.isFenced && call.form.isAlone) {
    return failCall(s, open, { ...cutOff(dialect.title), end, isOpen: true })
  }
  switch (call?.phase) {
    case undefined:
      if (wrapper && count === 0) failCall(s, open, { ...cutOff(dialect.title), end })
      return
    case 'closing': return endSpan(s, open, call, call.end)
    case 'value': return endValues(s, open, call, end)
    case 'head':
    case 'fields':
    case 'span':
    case 'broken': return failCall(s, open, { ...cutOff(dialect.title), end, isOpen: true })
  }
}

function cutOff(title: string) {
  return { code: 'UNCLOSED_BLOCK', message: `The ${title} call is cut off` } as const
}

/** Takes steps from `from` to the end of the line, or of the calls; returns as line states do. */
function advance(s: ScanState, open: OpenDialect, from: number): number {
  for (let at = from;;) {
    const next = step(s, open, at)
    if (next === undefined) return -1
    if (next.leaves) return next.at
    at = next.at
  }
}

/** One step, by what is open: between calls, or a phase of one. */
function step(s: ScanState, open: OpenDialect, at: number): Step {
  const { call } = open
  switch (call?.phase) {
    case undefined: return betweenCalls(s, open, s.skipBlanks(at))
    case 'head': return headLine(s, open, call)
    case 'fields': return fieldsLine(s, open, call, s.skipBlanks(at))
    case 'value': return valueLine(s, open, call, at)
    case 'span': return spanLine(s, open, call, at)
    case 'closing': return closingLine(s, open, call, s.skipBlanks(at))
    case 'broken': return brokenLine(s, open, call, at)
  }
}

/** Between calls: another one, the wrapper's closer, or the text after them. */
function betweenCalls(s: ScanState, open: OpenDialect, at: number): Step {
  const { dialect, wrapper, count } = open
  if (at >= s.end) {
    if (wrapper) return undefined
    s.dialect = undefined
    return { at: -1, leaves: true }
  }
  if (wrapper && s.region.startsWith(wrapper.close, at)) {
    const after = at + wrapper.close.length
    if (count === 0) failCall(s, open, { message: `No ${dialect.title} call stands here`, end: placeAt(s, after) })
    return behindCalls(s, open, after)
  }
  const forms = dialect.forms.filter((form) => form.begins === undefined && isRead(dialect, form, s.formats) && (
    form.opens === '' ? wrapper !== undefined && fits(s, form.head, at)
      // What this tag opens, its content tells.
      : s.region.startsWith(form.opens, at) && (form.opens !== TOOL_CALL_OPEN || fits(s, form.head, at))))
  if (forms.length > 0) {
    const here = placeAt(s, at)
    open.call = { phase: 'head', item: count === 0 ? open.opened : here, start: here, forms }
    return { at }
  }
  if (count === 0) {
    failCall(s, open, {
      message: `No ${dialect.title} call follows`, end: { ...open.opened, at: s.abs(at) }, isOpen: true,
    })
  }
  return behindCalls(s, open, at)
}

function fits(s: ScanState, head: RegExp, at: number): boolean {
  head.lastIndex = at
  return head.test(s.region)
}

/** Behind the calls another of the dialect may begin; anything else on the line is prose. */
function behindCalls(s: ScanState, { dialect }: OpenDialect, from: number): Step {
  s.dialect = undefined
  const at = s.skipBlanks(from)
  if (at >= s.end) return { at: -1, leaves: true }
  // A line of its own, which is read for what it means anywhere.
  if (s.skipBlanks(s.lineStart) === at) return { at: s.lineStart, leaves: true }
  if (sectionAt(s.region, at, s.end)) return { at, leaves: true }
  const next = dialectHere(s, at)
  if (next?.dialect === dialect) return { at: openDialect(s, next, at), leaves: true }
  if (!s.region.startsWith(TOOL_CALL_OPEN, at)) return { at: tailOfCall(s, at), leaves: true }
  s.callNext = true
  return { at, leaves: true }
}

import { countBreaks } from '../../../../0-text/src/index.js'
import { isRead, type DialectOpener, type TagForm } from '../../dialects/index.js'
import { closingLine, spanAt, spanLine } from './dialect-arguments.js'
import { dialectHere, isLikely } from './dialect-here.js'
import { endFields, endSpan, failCall, giveUp, placeAt } from './dialect-items.js'
import { brokenLine, endValues, fieldsLine, valueLine } from './dialect-elements.js'
import type { HeadPhase, OpenDialect, SpanPhase, Step, ValuePhase } from './dialect-state.js'
import { TOOL_CALL_OPEN } from '../grammar.js'
import type { DialectField, TextPlace } from '../items.js'
import { tailOfCall } from '../line-tail.js'
import type { ScanState } from '../scan-state.js'
import { sectionAt } from '../section-kinds.js'
import { seenIn } from '../what-begins.js'

/** Most lines, and text in UTF-16 units, from a sentinel to where the arguments begin. */
const MOST_HEAD_LINES = 6
const LONGEST_HEAD = 2000

/** Opens the calls whose sentinel or wrapper stands at `at`, and reads the rest of its line. */
export function openDialect(s: ScanState, opener: DialectOpener, at: number): number {
  s.endAside()
  openDialectAt(s, opener, placeAt(s, at))
  s.paragraph = false
  return advance(s, s.dialect!, opener.wrapper ? at + opener.text.length : at)
}

/** The same for a sentinel on an earlier line, with nothing behind it so far. */
export function openDialectAt(s: ScanState, opener: DialectOpener, at: TextPlace): void {
  const { dialect, wrapper, forms } = opener
  const head: HeadPhase = { phase: 'head', item: at, start: at, forms }
  if (isLikely(opener)) head.isLikely = { paragraph: s.paragraph }
  s.dialect = { dialect, wrapper, opened: at, count: 0, call: wrapper ? undefined : head }
}

/** A line after the one on which something of it opened. */
export function dialectLine(s: ScanState): number {
  return advance(s, s.dialect!, s.at)
}

/** Reads on from `from`; returns as line states do. */
function advance(s: ScanState, open: OpenDialect, from: number): number {
  for (let at = from;;) {
    const next = step(s, open, at)
    if (next === undefined) return -1
    if (next.leaves) return next.at
    at = next.at
  }
}

function step(s: ScanState, open: OpenDialect, at: number): Step {
  const { call } = open
  switch (call?.phase) {
    case undefined: return between(s, open, s.skipBlanks(at))
    case 'head': return headLine(s, open, call)
    case 'fields': return fieldsLine(s, open, call, s.skipBlanks(at))
    case 'value': return valueLine(s, open, call, at)
    case 'span': return spanLine(s, open, call, at)
    case 'closing': return closingLine(s, open, call, s.skipBlanks(at))
    case 'broken': return brokenLine(s, open, call, at)
  }
}

/** Between calls: another one, the wrapper's closer, or the text after them. */
function between(s: ScanState, open: OpenDialect, at: number): Step {
  const { dialect, wrapper, count } = open
  if (at >= s.end) {
    if (wrapper) return undefined
    s.dialect = undefined
    return { at: -1, leaves: true }
  }
  if (wrapper && s.region.startsWith(wrapper.close, at)) {
    const after = at + wrapper.close.length
    if (count === 0) failCall(s, open, { message: `No ${dialect.title} call stands here`, end: placeAt(s, after) })
    return behind(s, open, after)
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
  return behind(s, open, at)
}

function fits(s: ScanState, head: RegExp, at: number): boolean {
  head.lastIndex = at
  return head.test(s.region)
}

/** Behind the calls another of the dialect may begin; anything else on the line is prose. */
function behind(s: ScanState, { dialect }: OpenDialect, from: number): Step {
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

/** From the sentinel to where the arguments begin: what stands there decides on the form. */
function headLine(s: ScanState, open: OpenDialect, call: HeadPhase): Step {
  const { item, start, forms } = call
  const text = s.source.slice(start.at, s.abs(s.end))
  for (const form of forms) {
    form.head.lastIndex = 0
    const head = form.head.exec(text)
    if (!head) continue
    const at = start.at + head[0].length - s.source.base
    const common = { item, start, name: head.groups?.['name'], id: head.groups?.['id'] }
    if (form.kind === 'tag') openTag(s, open, call, form, head.groups!['attributes']!, at)
    else if (form.kind === 'elements') open.call = { ...common, phase: 'fields', form, fields: [] }
    else return openSpan(s, open, spanAt(common, form, placeBehind(start, head[0])))
    return { at }
  }
  if (call.isLikely) {
    if (s.line - start.line < MOST_HEAD_LINES && text.length < LONGEST_HEAD) return undefined
    giveBack(s, open, call)
    return { at: -1, leaves: true }
  }
  const next = nextCall(text, forms)
  if (next > 0) {
    const end = start.at + next - s.source.base
    failCall(s, open, { message: `This is no whole call of ${open.dialect.title}`, end: placeAt(s, end) })
    return { at: end }
  }
  const isCut = s.line > start.line && seenIn(s, 'call', s.skipBlanks(s.lineStart)) !== undefined
  if (!isCut && s.line - start.line < MOST_HEAD_LINES && text.length < LONGEST_HEAD) return undefined
  return giveUp(s, open, `This is no whole call of ${open.dialect.title}`)
}

/** Where another call begins behind a head that is none; -1 where none does. */
function nextCall(text: string, forms: HeadPhase['forms']): number {
  const found = forms.filter(({ opens }) => opens !== '').map(({ opens }) => text.indexOf(opens, opens.length))
    .filter((at) => at > 0)
  return found.length > 0 ? Math.min(...found) : -1
}

/** Where the text behind `head` begins, which may be on a line above the one that decided. */
function placeBehind(start: TextPlace, head: string): TextPlace {
  const at = start.at + head.length
  const line = start.line + countBreaks(head, 0, head.length)
  const offset = line === start.line ? start.offset + head.length : head.length - head.lastIndexOf('\n') - 1
  return { at, line, offset }
}

function openSpan(s: ScanState, open: OpenDialect, span: SpanPhase): Step {
  open.call = span
  const { at, line, offset } = span.content
  if (line === s.line) return { at: at - s.source.base }
  s.resumeAt(at - offset, line)
  return { at: -1, leaves: true }
}

/** It was no call: its lines are read again. */
function giveBack(s: ScanState, { dialect }: OpenDialect, { start, isLikely: above }: HeadPhase): void {
  s.dialect = undefined
  s.paragraph = above!.paragraph
  s.rejected = { at: start.at, dialects: [...s.rejected?.at === start.at ? s.rejected.dialects : [], dialect] }
  s.resumeAt(start.at - start.offset, start.line)
}

/** The attributes are parameters; the text up to the closer is one too. */
function openTag(
  s: ScanState, open: OpenDialect, { item, start }: HeadPhase, form: TagForm, attributes: string, at: number,
): void {
  const value = placeAt(s, at)
  const given = [...attributes.matchAll(ATTRIBUTE)].map(([, name = '', text = '']): [string, string] => (
    [Object.hasOwn(form.attributes, name) ? form.attributes[name]! : name, text]))
  const fields = [...Object.entries(form.fixed ?? {}), ...given].filter(([key]) => key !== '')
    .map(([key, text]): DialectField => ({ key, text, isJson: false, line: start.line, offset: start.offset }))
  const call: ValuePhase = {
    phase: 'value', form, fields, item, start, name: form.verb, id: undefined, value, key: form.body ?? '',
    close: form.close, isJson: false, depth: 1,
  }
  // `<TAG … />` is whole where its text would say nothing.
  if (form.body === undefined && attributes.endsWith('/')) endFields(s, open, call, value)
  else open.call = call
}

const ATTRIBUTE = /([\w-]+)="([^"]*)"/g

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

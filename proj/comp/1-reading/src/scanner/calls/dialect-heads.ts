import { countBreaks } from '../../../../0-text/src/index.js'
import type { TagForm } from '../../dialects/index.js'
import { spanAt } from './dialect-arguments.js'
import { endFields, failCall, giveUp, placeAt } from './dialect-items.js'
import type { HeadPhase, OpenDialect, SpanPhase, Step, ValuePhase } from './dialect-state.js'
import type { DialectField, TextPlace } from '../items.js'
import type { ScanState } from '../scan-state.js'
import { seenIn } from '../what-begins.js'

/** Most lines, and text in UTF-16 units, from a sentinel to where the arguments begin. */
const MOST_HEAD_LINES = 6
const LONGEST_HEAD = 2000

/** `name="text"`, of a tag. */
const ATTRIBUTE = /([\w-]+)="([^"]*)"/g

/**
 * A line of a call's head, which goes from its sentinel to where the arguments begin: what stands there decides on the
 * form of the call, and so on its next phase. A head may take several lines, up to a bound.
 */
export function headLine(s: ScanState, open: OpenDialect, call: HeadPhase): Step {
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
  const places = forms.filter(({ opens }) => opens !== '').map(({ opens }) => text.indexOf(opens, opens.length))
    .filter((at) => at > 0)
  return places.length > 0 ? Math.min(...places) : -1
}

/** Where the text behind `head` begins, which may be on a line above the one that decided. */
function placeBehind(start: TextPlace, head: string): TextPlace {
  const at = start.at + head.length
  const line = start.line + countBreaks(head, 0, head.length)
  const offset = line === start.line ? start.offset + head.length : head.length - head.lastIndexOf('\n') - 1
  return { at, line, offset }
}

/** The arguments may begin on a line above this one, which is then read again from there. */
function openSpan(s: ScanState, open: OpenDialect, span: SpanPhase): Step {
  open.call = span
  const { at, line, offset } = span.content
  if (line === s.line) return { at: at - s.source.base }
  s.resumeAt(at - offset, line)
  return { at: -1, leaves: true }
}

/** What was likely a call is none: its lines are read again, for what else they are. */
export function giveBack(s: ScanState, { dialect }: OpenDialect, { start, isLikely: above }: HeadPhase): void {
  s.dialect = undefined
  s.paragraph = above!.paragraph
  s.rejected = { at: start.at, dialects: [...s.rejected?.at === start.at ? s.rejected.dialects : [], dialect] }
  s.resumeAt(start.at - start.offset, start.line)
}

/** A tag: its attributes are parameters, and so is the text up to its closer. */
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

import { endBefore, endFields, failCall, placeAt } from './dialect-items.js'
import type { ElementsForm } from '../../dialects/index.js'
import type { BrokenPhase, FieldsPhase, OpenDialect, Step, ValuePhase } from './dialect-state.js'
import type { TextPlace } from '../items.js'
import type { ScanState } from '../scan-state.js'
import { seenIn } from '../what-begins.js'

/** Reads between the parameters of a call. */
export function fieldsLine(s: ScanState, open: OpenDialect, call: FieldsPhase, at: number): Step {
  if (at >= s.end) return undefined
  const { form } = call
  if (!call.begun && s.region.startsWith(form.close, at)) {
    const after = at + form.close.length
    endFields(s, open, call, placeAt(s, after))
    return { at: after }
  }
  if (call.begun || opensField(s, form, at)) return beginValue(s, open, call, at)
  const { wrapper } = open
  const lacks = `The ${open.dialect.title} call lacks its end, ${form.close}`
  if (wrapper && s.region.startsWith(wrapper.close, at)) {
    failCall(s, open, { code: 'UNCLOSED_BLOCK', message: lacks, end: placeAt(s, at) })
    return { at }
  }
  if (at === s.skipBlanks(s.lineStart) && seenIn(s, 'call', at) !== undefined) return endBefore(s, open, lacks)
  return breakOff(open, call, at, `Only parameters stand between the tags of a ${open.dialect.title} call`)
}

/** Begins a parameter, whose opening may span two lines. */
function beginValue(s: ScanState, open: OpenDialect, call: FieldsPhase, at: number): Step {
  const { form, fields, item, start, name, id } = call
  const begun = call.begun ?? placeAt(s, at)
  form.field.lastIndex = 0
  const field = form.field.exec(s.source.slice(begun.at, s.abs(s.end)))
  if (!field) {
    call.begun = begun
    return form.spansLines && s.line === begun.line ? undefined
      : breakOff(open, call, at, `A parameter of a ${open.dialect.title} call goes on otherwise than this one`)
  }
  const value = placeAt(s, begun.at + field[0].length - s.source.base)
  open.call = {
    phase: 'value', form, fields, item, start, name, id, value, key: field.groups!['key']!,
    isJson: field.groups!['json'] !== undefined, depth: 1, close: form.fieldClose ?? `</${field.groups!['key']!}>`,
  }
  return { at: value.at - s.source.base }
}

/**
 * Reads the text of a parameter. Only its closer ends it, and only where the next parameter or the end of the call
 * follows. Parameters that open inside the text, first on a line or opened and closed within one line, need a closer
 * each. In mid-line, an end of the call counts where nothing else follows.
 *
 *     <parameter=content>
 *     a tag </parameter> in the text
 *     </parameter>             ← this one: the end follows
 *     </function>
 */
export function valueLine(s: ScanState, open: OpenDialect, call: ValuePhase, from: number): Step {
  const { form, closer } = call
  const first = s.skipBlanks(from)
  if (closer) {
    if (first >= s.end) return undefined
    if (goesOn(s, call, first)) return endValue(s, open, call, closer, first)
    delete call.closer
  }
  const end = call.ownEnd ?? endIn(s, open, form.close, from)
  if (end) call.ownEnd = end
  let at = from
  if (s.line !== call.value.line && opensInner(s, call, first)) {
    call.depth++
    call.inner ??= s.line
    at = first + 1
  }
  for (let inLine = 0;;) {
    const index = s.region.slice(at, s.end).indexOf(call.close)
    if (index < 0) return undefined
    const close = at + index
    inLine += countInner(s, call, at, close)
    at = close + call.close.length
    if (inLine > 0) inLine--
    else if (call.depth > 1) call.depth--
    else {
      const after = s.skipBlanks(at)
      if (after >= s.end && form.kind !== 'tag') {
        call.closer = placeAt(s, close)
        return undefined
      }
      const isEnd = form.kind === 'tag' || s.region.startsWith(form.close, after)
      const goes = isEnd ? first === close || endsLine(s, open, call, form.kind === 'tag' ? at : after)
        : goesOn(s, call, after)
      if (goes) return endValue(s, open, call, placeAt(s, close), form.kind === 'tag' ? at : after)
    }
  }
}

/** Number of inner parameters that open between `from` and `to`. */
function countInner(s: ScanState, call: ValuePhase, from: number, to: number): number {
  const text = s.region.slice(from, to)
  let count = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (opensInner(s, call, from + at)) count++
  }
  return count
}

/** What may follow the end of a call on its line: closers around it, tokens that end the answer, another call. */
const BEHIND_END = /^(?:\s*(?:<\/[\w:-]*(?:calls?|Artifact|code)>|<\|\w{1,30}\|>|<\/s>|<\/think>))*\s*$/

/** Longest rest of a line to search, since a line may hold any number of closers. */
const LONGEST_BEHIND = 300

/**
 * Whether the call ends at the closer at `at` (or right behind it) in mid-line. Text behind the closer means that it is
 * quoted, except for a call that opened on the same line and is the only one to end there.
 */
function endsLine(s: ScanState, { dialect, wrapper }: OpenDialect, { form, start }: ValuePhase, at: number): boolean {
  const behind = form.kind === 'tag' ? at : at + form.close.length
  const rest = s.region.slice(behind, s.end)
  const next = s.skipBlanks(behind)
  if (rest.length <= LONGEST_BEHIND && BEHIND_END.test(rest)) return true
  if (wrapper && s.region.startsWith(wrapper.close, next)) return true
  if (dialect.forms.some(({ opens }) => opens !== '' && s.region.startsWith(opens, next))) return true
  return s.region.startsWith('<tool_call>', next) || (start.line === s.line && !rest.includes(form.close))
}

/** The place behind the first end of the call, or of its wrapper, in the rest of the line. */
function endIn(s: ScanState, { wrapper }: OpenDialect, close: string, from: number): TextPlace | undefined {
  const line = s.region.slice(from, s.end)
  const end = line.indexOf(close)
  if (end >= 0) return placeAt(s, from + end + close.length)
  const outer = wrapper ? line.indexOf(wrapper.close) : -1
  return outer < 0 ? undefined : placeAt(s, from + outer + wrapper!.close.length)
}

function opensField(s: ScanState, { fieldOpens }: ElementsForm, at: number): boolean {
  fieldOpens.lastIndex = at
  return fieldOpens.test(s.region)
}

/** Whether a parameter opens inside the value, which needs a closer of its own. */
function opensInner(s: ScanState, { form, key }: ValuePhase, at: number): boolean {
  if (form.kind === 'tag') return s.region.startsWith(form.opens, at)
  return form.fieldClose === undefined ? s.region.startsWith(`<${key}>`, at) : opensField(s, form, at)
}

function goesOn(s: ScanState, { form }: ValuePhase, at: number): boolean {
  return form.kind === 'tag' || opensField(s, form, at) || s.region.startsWith(form.close, at)
}

function endValue(s: ScanState, open: OpenDialect, call: ValuePhase, closer: TextPlace, at: number): Step {
  const { form, fields, item, start, name, id, key, isJson, value } = call
  const text = s.source.slice(value.at, closer.at)
  const isPadded = form.kind === 'tag' || form.isPadded
  const own = isPadded ? unpadded(text, form.kind === 'tag' || form.keepsEnd === key) : text
  if (key !== '') fields.push({ key, isJson, text: own, line: value.line, offset: value.offset })
  if (form.kind === 'tag') endFields(s, open, call, placeAt(s, at))
  else open.call = { phase: 'fields', form, fields, item, start, name, id }
  return { at }
}

function unpadded(text: string, keepsEnd: boolean): string {
  const rest = text.replace(/^\r?\n/, '')
  return keepsEnd ? rest : rest.replace(/\r?\n$/, '')
}

/** What follows is no part of the call: skips everything up to its closer. */
function breakOff(open: OpenDialect, call: FieldsPhase, at: number, message: string): Step {
  const { form, item, start, name, id } = call
  open.call = { phase: 'broken', form, item, start, name, id, message }
  return { at }
}

export function brokenLine(s: ScanState, open: OpenDialect, call: BrokenPhase, from: number): Step {
  const end = endIn(s, open, call.form.close, from)
  if (!end) return undefined
  failCall(s, open, { message: call.message, end })
  return { at: end.at - s.source.base }
}

/**
 * The text has ended inside a value. Reading resumes behind the call's own closer; where there was none, the answer was
 * cut off, and all that follows may belong to the value. The same holds once much text was read again, since many such
 * values would take quadratic time.
 */
export function endValues(s: ScanState, open: OpenDialect, call: ValuePhase, end: TextPlace): void {
  const { closer, depth, form, inner, key } = call
  if (call.ownEnd) s.rereadable -= end.at - call.ownEnd.at
  const ownEnd = s.rereadable < 0 ? undefined : call.ownEnd
  const { title } = open.dialect
  if (closer) {
    failCall(s, open, {
      code: 'UNCLOSED_BLOCK', message: `The ${title} call lacks its end`, end, hint: `Write ${form.close} behind it.`,
    })
    return
  }
  failCall(s, open, {
    code: 'UNCLOSED_BLOCK', end: ownEnd ?? end,
    message: `${form.kind === 'tag' ? `The ${title} call` : `Parameter '${key}' of a ${title} call`} lacks its end`,
    hint: form.kind === 'tag' ? `Write ${form.close} behind its text.`
      : `Write ${call.close} behind its value, and then the next parameter or ${form.close}`,
    isOpen: ownEnd === undefined,
    // As many inner parameters opened as were closed: they are the parameters that follow.
    ...(ownEnd && depth === 1 && inner !== undefined && form.kind === 'elements' && form.isPadded && {
      fix: { startLine: inner, endLine: inner - 1, text: call.close },
    }),
  })
  if (!ownEnd) return
  // The wrapper is still open, unless its own closer ended the call.
  if (open.wrapper && s.source.slice(ownEnd.at - form.close.length, ownEnd.at) === form.close) s.dialect = open
  s.resumeAt(ownEnd.at, ownEnd.line)
}

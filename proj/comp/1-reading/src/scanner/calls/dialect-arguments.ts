import { skipIndent } from '../columns.js'
import { CallEnd } from './call-end.js'
import { endBefore, endSpan, giveUp, placeAt } from './dialect-items.js'
import type { JsonForm, PythonForm } from '../../dialects/index.js'
import type { TextPlace } from '../items.js'
import type { ClosingPhase, InCall, OpenDialect, SpanPhase, Step } from './dialect-state.js'
import { PythonSpan } from './python-span.js'
import type { ScanState } from '../scan-state.js'
import { seenIn } from '../what-begins.js'

/** The arguments of a call begin at `content`. */
export function spanAt(call: InCall, form: JsonForm | PythonForm, content: TextPlace): SpanPhase {
  return { ...call, phase: 'span', form, content, json: new CallEnd(form.closes[0], true), python: new PythonSpan() }
}

/** The JSON or Python of a call, up to where it balances. */
export function spanLine(s: ScanState, open: OpenDialect, call: SpanPhase, at: number): Step {
  const { form, json, python } = call
  if (s.line !== call.content.line) {
    const cursor = { at, column: 0 }
    const indent = skipIndent(s.region, cursor, s.end)
    const isQuoted = form.kind === 'json' ? json.broken : python.isInString
    if (!isQuoted && indent <= 3 && seenIn(s, 'call', cursor.at) !== undefined) {
      return endBefore(s, open, `The ${open.dialect.title} call is cut off: its arguments never end`)
    }
  }
  if (form.kind === 'python') {
    const end = python.line(s.region, at, s.end)
    return end < 0 ? undefined : close(s, open, call, end)
  }
  const closer = json.line(s.region, at, s.end, s.source.base)
  if (json.balancedAt !== undefined) return close(s, open, call, json.balancedAt - s.source.base)
  if (closer >= 0) return close(s, open, call, closer)
  if (!json.any || json.started) return undefined
  return giveUp(s, open, `The arguments of ${open.dialect.title} calls are a JSON object`)
}

function close(s: ScanState, open: OpenDialect, call: SpanPhase, at: number): Step {
  const { form, item, start, name, id, content } = call
  const isFenced = form.kind === 'json' && form.isFenced === true
  const end = placeAt(s, at)
  const closing: ClosingPhase = { phase: 'closing', form, item, start, name, id, content, end, isFenced }
  open.call = closing
  if (form.closes.length === 0) endSpan(s, open, closing, closing.end)
  return { at }
}

/** Behind the arguments: the call's closer, if it is there. */
export function closingLine(s: ScanState, open: OpenDialect, call: ClosingPhase, at: number): Step {
  if (at >= s.end) return undefined
  if (call.isFenced && s.region.startsWith('```', at)) {
    call.isFenced = false
    return { at: at + 3 }
  }
  const closer = call.form.closes.find((text) => s.region.startsWith(text, at))
  if (closer !== undefined) {
    endSpan(s, open, call, placeAt(s, at + closer.length))
    return { at: at + closer.length }
  }
  endSpan(s, open, call, call.end)
  const { form } = call
  if (form.kind !== 'json' || form.separator === undefined || !s.region.startsWith(form.separator, at)) return { at }
  const next = s.skipBlanks(at + form.separator.length)
  const here = placeAt(s, next)
  open.call = spanAt({ item: here, start: here, name: undefined, id: undefined }, form, here)
  return { at: next }
}

import { skipIndent } from '../columns.js'
import { CallEnd } from './call-end.js'
import { endBefore, endSpan, failCall, giveUp, placeAt, type Failure } from './dialect-items.js'
import type { JsonForm, PythonForm } from '../../dialects/index.js'
import type { TextPlace } from '../items.js'
import type { ClosingPhase, InCall, OpenDialect, SpanPhase, Step } from './dialect-state.js'
import { PythonSpan } from './python-span.js'
import { openQuotingFence } from '../quoting-fence.js'
import type { ScanState } from '../scan-state.js'
import { seenIn } from '../what-begins.js'

/** Starts reading arguments at `content`. */
export function spanAt(call: InCall, form: JsonForm | PythonForm, content: TextPlace): SpanPhase {
  return { ...call, phase: 'span', form, content, json: new CallEnd(form.closes[0], true), python: new PythonSpan() }
}

/** Reads JSON or Python arguments up to where the brackets are balanced. */
export function spanLine(s: ScanState, open: OpenDialect, call: SpanPhase, at: number): Step {
  const { form, json, python } = call
  if (s.line !== call.content.line) {
    const cursor = { at, column: 0 }
    const indent = skipIndent(s.region, cursor, s.end)
    if (isOwnFence(form)) {
      if (indent <= 3 && s.region.startsWith('```', cursor.at)) {
        return failLine(s, open, {
          code: 'UNCLOSED_BLOCK',
          message: `The ${open.dialect.title} call is cut off: its JSON does not end in its fence`,
        })
      }
    } else if (!isInString(call) && indent <= 3 && seenIn(s, 'call', cursor.at) !== undefined) {
      return endBefore(s, open, `The ${open.dialect.title} call is cut off: its arguments never end`)
    }
  }
  const from = s.line === call.content.line ? Math.max(at, call.content.at - s.source.base) : at
  if (form.kind === 'python') {
    const end = python.line(s.region, from, s.end)
    return end < 0 ? undefined : close(s, open, call, end)
  }
  const closer = json.line(s.region, from, s.end, s.source.base)
  if (json.balancedAt !== undefined) return close(s, open, call, json.balancedAt - s.source.base)
  if (closer >= 0) return close(s, open, call, closer)
  if (!json.any || json.started) return undefined
  const message = `The arguments of ${open.dialect.title} calls are a JSON object`
  return form.begins ? failLine(s, open, { message }) : giveUp(s, open, message)
}

function close(s: ScanState, open: OpenDialect, call: SpanPhase, at: number): Step {
  const { form, item, start, name, id, content } = call
  const isFenced = form.kind === 'json' && form.isFenced === true
  const end = placeAt(s, at)
  if (form.isAlone && !isFenced && !NOTHING.test(s.region.slice(at, s.end))) {
    return failLine(s, open, {
      message: `Something stands behind the ${open.dialect.title} call on its line`,
      hint: 'Let the line end with the call.',
    })
  }
  const closing: ClosingPhase = { phase: 'closing', form, item, start, name, id, content, end, isFenced }
  open.call = closing
  if (form.closes.length === 0 && !isFenced) endSpan(s, open, closing, closing.end)
  return { at }
}

function isInString({ form, json, python }: SpanPhase): boolean {
  return form.kind === 'json' ? json.broken : python.isInString
}

/** What may follow a call that must be alone: tokens that end the answer. */
const NOTHING = /^\s*(?:(?:<\|\w{1,30}\|>|<\/s>)\s*)*$/

/** Whether the call is in a fence of its own, which ends it whatever it holds. */
function isOwnFence(form: JsonForm | PythonForm): boolean {
  return form.kind === 'json' && form.isFenced === true && form.isAlone === true
}

/** Ends the call with this line and an error. */
function failLine(s: ScanState, open: OpenDialect, failure: Omit<Failure, 'end'>): Step {
  failCall(s, open, { ...failure, end: placeAt(s, s.end) })
  s.dialect = undefined
  return { at: -1, leaves: true }
}

/** Something else is in the fence: the rest of the fence is quoted. */
function quoteRest(s: ScanState, open: OpenDialect, { content, end }: ClosingPhase): Step {
  failCall(s, open, {
    message: `Something stands behind the ${open.dialect.title} call in its fence`, end,
    hint: 'Write nothing but the call between the lines of the fence; several calls as one list, [{…}, {…}].',
  })
  s.dialect = undefined
  openQuotingFence(s, { char: '`', length: 3, info: 'json' }, 0, false, content.line - 1)
  return { at: s.lineStart, leaves: true }
}

/** Behind the arguments: reads the call's closer, if there is one. */
export function closingLine(s: ScanState, open: OpenDialect, call: ClosingPhase, at: number): Step {
  if (at >= s.end) return undefined
  if (isOwnFence(call.form)) {
    if (!/^`{3,}\s*$/.test(s.region.slice(at, s.end))) return quoteRest(s, open, call)
    endSpan(s, open, call, placeAt(s, s.end))
    return { at: s.end }
  }
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

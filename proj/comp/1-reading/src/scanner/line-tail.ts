import { dialectHere } from './calls/dialect-here.js'
import { CodeSpans } from './code-spans.js'
import { TOOL_CALL_CLOSE, TOOL_CALL_OPEN } from './grammar.js'
import { hiddenMarker } from './hidden-markers.js'
import { CALL_HINT, START_HINT } from './radar/index.js'
import type { ScanState } from './scan-state.js'
import { sectionAt } from './section-kinds.js'
import { strayEnd } from './sections.js'

/** Looks in the rest of a prose line for a stray closing tag of a section, or a tool call in mid-line. */
export function tail(s: ScanState, from: number): number {
  if (hiddenMarker(s, from)) return -1
  const after = strayEnd(s, from)
  if (after !== undefined) return after
  if (!hasAngle(s, from)) return -1
  const next = behindMessage(s, from)
  if (next < 0) misplacedCall(s, from)
  return next
}

/** The same behind a call that ran, where a call of another dialect, or one behind prose, would be lost. */
export function tailOfCall(s: ScanState, from: number): number {
  const next = tail(s, from)
  if (next >= 0) return next
  const line = s.region.slice(from, s.end)
  const spans = new CodeSpans(line)
  for (const { index } of line.matchAll(/[<[]/g)) {
    const opener = dialectHere(s, from + index)
    if (!opener || spans.has(index)) continue
    const message = `A call in the format of ${opener.dialect.title} counts only at the start of a line`
    s.nearMiss(s.error('NOT_LIVE', message, from + index, opener.text.length, START_HINT))
    break
  }
  return next
}

function hasAngle(s: ScanState, from: number): boolean {
  if (s.nextAngle < from) {
    const index = s.region.indexOf('<', from)
    s.nextAngle = index < 0 ? s.region.length : index
  }
  return s.nextAngle < s.end
}

/** gpt-oss writes messages on one line: behind the end of one, a call or thought may begin. */
function behindMessage(s: ScanState, from: number): number {
  const end = s.region.slice(from, s.end).indexOf(MESSAGE_END)
  const at = from + end + MESSAGE_END.length
  return end >= 0 && (dialectHere(s, at) || sectionAt(s.region, at, s.end)) ? at : -1
}

const MESSAGE_END = '<|end|>'

const NEAR_CALL = /^<(?:(?:tool[-_ ]?calls?|function_call)(?:[ \t][^<>\n]{0,200})?|\/tool_call)>[ \t]*(?:\{|$)/i

const OBJECT_FOLLOWS = /^[ \t]*\{/

function misplacedCall(s: ScanState, from: number): void {
  const line = s.region.slice(from, s.end)
  const near = NEAR_CALL.exec(line)
  if (near && from === s.skipBlanks(s.at) && !line.startsWith(TOOL_CALL_OPEN)) {
    const what = line.startsWith(TOOL_CALL_CLOSE) ? 'Closing </tool_call> without an open call'
      : `Unknown tag ${near[0].replace(/[ \t]*\{?$/, '')}`
    s.nearMiss(s.error('INVALID_TOOL_CALL', what, from, near[0].length, CALL_HINT))
    return
  }
  const spans = new CodeSpans(line)
  for (let at = line.indexOf(TOOL_CALL_OPEN); at >= 0; at = line.indexOf(TOOL_CALL_OPEN, at + 1)) {
    if (!OBJECT_FOLLOWS.test(line.slice(at + TOOL_CALL_OPEN.length, at + TOOL_CALL_OPEN.length + 20))
      || `"'“`.includes(line.charAt(at - 1) || ' ') || spans.has(at)) continue
    s.nearMiss(s.error('NOT_LIVE', 'A tool call counts only at the start of a line', from + at, TOOL_CALL_OPEN.length,
      'Put <tool_call> first on a line of its own to run it, or in backticks to quote it.'))
    return
  }
}

import { isDeepStrictEqual } from 'node:util'
import { isRecord, parseJson, type ParsedBlock } from '../../../0-contracts/src/index.js'
import { type CallChange, changeArgument } from './block-change.js'
import { withBreaksOf } from './keep-line-breaks.js'

const [OPEN, CLOSE] = ['<tool_call>', '</tool_call>']

/** Range of a call's JSON. */
interface Place {
  start: number
  end: number
}

/** The source with one call rewritten; identical calls may share a line. */
export function* rewrittenCalls(source: string, block: ParsedBlock, change: CallChange): Generator<string> {
  for (const { start, end } of callsLike(source, block)) {
    const written = rewritten(source.slice(start, end), change)
    if (written !== undefined) yield source.slice(0, start) + written + source.slice(end)
  }
}

export function* withoutCall(source: string, block: ParsedBlock): Generator<string> {
  for (const { start, end } of callsLike(source, block)) {
    yield source.slice(0, start - OPEN.length) + source.slice(end + CLOSE.length)
  }
}

function* callsLike(source: string, { action, params }: ParsedBlock): Generator<Place> {
  for (const place of callsIn(source)) {
    const call = parseJson(source.slice(place.start, place.end))
    if (!isRecord(call) || call['name'] !== action) continue
    if (isDeepStrictEqual({ ...argumentsOf(call) }, { ...params })) yield place
  }
}

function* callsIn(source: string): Generator<Place> {
  for (let at = source.indexOf(OPEN); at !== -1;) {
    const start = at + OPEN.length
    const end = closeAfter(source, start)
    if (end === -1) return
    yield { start, end }
    at = source.indexOf(OPEN, end)
  }
}

/** Index of the closing tag, which strings in the call may contain as well. */
function closeAfter(source: string, start: number): number {
  const pieces = /"(?:[^"\\]|\\.)*"|<\/tool_call>/gs
  pieces.lastIndex = start
  for (let piece = pieces.exec(source); piece !== null; piece = pieces.exec(source)) {
    if (piece[0] === CLOSE) return piece.index
  }
  return -1
}

function argumentsOf(call: Record<string, unknown>): Record<string, unknown> {
  const given = call['arguments']
  const args: unknown = typeof given === 'string' ? parseJson(given) : given
  return isRecord(args) ? args : {}
}

function rewritten(json: string, change: CallChange): string | undefined {
  const call = parseJson(json)
  if (!isRecord(call)) return undefined
  if (change.kind === 'rename') call['name'] = change.action
  else {
    const args = argumentsOf(call)
    changeArgument(args, change)
    call['arguments'] = typeof call['arguments'] === 'string' ? JSON.stringify(args) : args
  }
  const [before, after] = [/^\s*/.exec(json)?.[0] ?? '', /\s*$/.exec(json)?.[0] ?? '']
  const lines = json.trim().split('\n')
  // Written as `<\/`, a closing tag in a string never ends the call.
  const written = JSON.stringify(call, null, lines.length > 1 ? 2 : undefined).replaceAll(CLOSE, '<\\/tool_call>')
  return before + withBreaksOf(lines, written.split('\n')).join('\n').trimEnd() + after
}

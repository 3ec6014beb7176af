import type {
  ModelResponse, ParseOutcome, ResponsePart, ServedPart, UnreadPart,
} from '../../../0-contracts/src/index.js'
import { lineError, type ScanOptions } from '../scanner/index.js'
import { readFunctionCall } from './function-call.js'
import { lineOf, outcomeOf, parse, readEvents } from './parse.js'
import { failed, type ReadBlock, type ReadEvent } from './read-event.js'

const BEGINS = /^\uFEFF?\s*(?:\{\s*["}]|\[\s*\{|:|(?:data|event|id|retry):)/

/** A beginning that may still become one of a response. */
const MAY_BEGIN = /^\uFEFF?\s*(?:[{[:deir](?:\s*\S){0,5}\s*)?$/

/** True where the text is too short to decide. */
export function mayBeginAsResponse(text: string): boolean {
  return MAY_BEGIN.test(text)
}

/** Whether a text begins like a saved response: as JSON, or as a stream of events. */
export function beginsAsResponse(text: string): boolean {
  return BEGINS.test(text)
}

/** A part, and its line in the answer text. Thoughts are no part of that. */
interface PlacedPart {
  part: Exclude<ResponsePart, { type: 'thought' }>
  line: number
}

/**
 * Reads the blocks of a response in order: its texts are read together as one answer, in which each call stands on its
 * own line. Line numbers are those of `answerText`.
 */
export function readResponseEvents({ parts }: ModelResponse, options: ScanOptions = {}): ReadEvent[] {
  const placed = placeParts(parts)
  const calls = placed.flatMap((each, index) => (each.part.type === 'text' ? [] : [{ ...each, index }]))
  const events = readEvents(rendered(placed, () => ''), options).map((event) => withoutCallInside(event, calls))
  const all: ReadEvent[] = []
  let withoutId = 0
  for (const { part, line } of calls) {
    while (events[0] && lineOf(events[0]) <= line) all.push(...events.splice(0, 1))
    if (part.type === 'unread') all.push(unreadBlock(part, line))
    else if (part.type === 'served') all.push(servedBlock(part, line))
    else if (part.type === 'call') all.push(readFunctionCall({ ...part, id: part.id ?? `c${++withoutId}` }, line))
  }
  return [...all, ...events]
}

/** As `readResponseEvents`, as lists. */
export function parseResponse(response: ModelResponse, options: ScanOptions = {}): ParseOutcome {
  return outcomeOf(readResponseEvents(response, options))
}

/** Reads the blocks of an answer: a text, or a parsed response. */
export function parseAnswer(answer: string | ModelResponse, options: ScanOptions = {}): ParseOutcome {
  return typeof answer === 'string' ? parse(answer, options) : parseResponse(answer, options)
}

/**
 * Replaces lines of a response's answer text: lines of a text part, or a call part by the call that the new text holds.
 *
 * @returns `undefined` where the lines span several parts, or the text is no call
 */
export function editResponse(
  { parts, ...response }: ModelResponse, { startLine, endLine }: { startLine: number; endLine: number }, text: string,
): ModelResponse | undefined {
  const placed = placeParts(parts).findLast(({ line }) => line <= startLine)
  const edited = placed && editPart(placed, [startLine, endLine], text)
  return edited && { ...response, parts: parts.map((part) => (part === placed.part ? edited : part)) }
}

function editPart({ part, line }: PlacedPart, [from, to]: [number, number], text: string): ResponsePart | undefined {
  if (part.type === 'text') {
    const lines = part.text.split('\n')
    if (to >= line + lines.length) return undefined
    return { ...part, text: lines.toSpliced(from - line, to - from + 1, text).join('\n') }
  }
  const { blocks, errors } = parse(text)
  const [block, ...more] = blocks
  if (block?.format !== 'tool_call' || more.length + errors.length > 0) return undefined
  return { type: 'call', ...(part.id !== undefined && { id: part.id }), name: block.action, arguments: block.params }
}

/** A response as one text, with each call on a line: line numbers refer to it, and reports and recordings show it. */
export function answerText({ parts }: ModelResponse): string {
  return rendered(placeParts(parts), (part) => {
    const { id, name } = part
    if (part.type === 'served') return `[${ranThere(name)}]`
    if (part.type === 'unread' && part.source === undefined) return `[${part.problem}]`
    const args = part.type === 'call' ? part.arguments : part.source
    return `<tool_call>${JSON.stringify({ ...(id !== undefined && { id }), name, arguments: args })}</tool_call>`
  })
}

function placeParts(parts: readonly ResponsePart[]): PlacedPart[] {
  let line = 1
  return parts.flatMap((part): PlacedPart[] => {
    if (part.type === 'thought') return []
    const placed = { part, line }
    line += part.type === 'text' ? part.text.split('\n').length : 1
    return [placed]
  })
}

function rendered(
  placed: readonly PlacedPart[], call: (part: Exclude<PlacedPart['part'], { type: 'text' }>) => string,
): string {
  return placed.map(({ part }) => (part.type === 'text' ? part.text : call(part))).join('\n')
}

/** A block cannot continue behind a call of the response, so it counts as unclosed. */
function withoutCallInside(event: ReadEvent, calls: readonly PlacedPart[]): ReadEvent {
  if (event.type !== 'block') return event
  const { id: blockId, startLine, endLine } = event.block
  const inside = calls.find(({ line }) => startLine < line && line < endLine)
  if (!inside) return event
  const message = `A call of the response stands inside this block, in line ${inside.line}`
  const hint = 'Write the whole block before the call, or behind it.'
  const error = lineError('UNCLOSED_BLOCK', startLine, message, hint)
  return failed({ blockId, startLine, endLine, source: event.source ?? '' }, [error])
}

function unreadBlock({ id, code, problem, hint, source }: UnreadPart, line: number): ReadBlock {
  const text = typeof source === 'string' ? source : JSON.stringify(source) ?? ''
  return failed({ blockId: id, startLine: line, endLine: line, source: text }, [lineError(code, line, problem, hint)])
}

/** The service has already run it, so it is a skipped entry and no error. */
function servedBlock({ id, name }: ServedPart, line: number): ReadEvent {
  const place = { startLine: line, endLine: line, ...(id !== undefined && { blockId: id }) }
  return { type: 'skipped', block: { ...place, reason: ranThere(name) } }
}

function ranThere(name: string): string {
  return `the service has run it already: ${name}`
}

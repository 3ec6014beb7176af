import { isRecord } from '../../0-contracts/src/index.js'
import { asText, defined, jsonOr, textOf } from './fields.js'
import type { RecordedOutcome, RecordedResult, ResultPlace } from './transcript-model.js'

const OPEN = '<tool_response>'
const CLOSE = '</tool_response>'
const OUTCOME_FIELDS = new Set(['success', 'error', 'code', 'hint', 'data'])
/** Longest text to parse as JSON, in UTF-16 units. */
const MOST_JSON = 64 * 1024 * 1024

type Known = { [Field in 'callId' | 'isError' | 'place']?: RecordedResult[Field] | undefined }

/** Makes a recorded result, with what its content reveals. */
export function recordedResult(content: unknown, { callId, isError, place }: Known = {}): RecordedResult {
  const text = asText(content)
  const value = isRecord(content) ? content : jsonObject(text)
  const outcome = value && outcomeOf(value)
  // Some harnesses report a failure as an object with only `error`.
  const failed = isError ?? (outcome ? !outcome.success : value && isErrorOnly(value) ? true : undefined)
  return defined<RecordedResult>({ text, callId, isError: failed, outcome, place })
}

/** A result in hermes' own form; else `undefined`. */
export function outcomeOf(value: Record<string, unknown>): RecordedOutcome | undefined {
  if (typeof value['success'] !== 'boolean') return undefined
  if (!Object.keys(value).every((name) => OUTCOME_FIELDS.has(name))) return undefined
  for (const name of ['error', 'code', 'hint']) {
    if (name in value && typeof value[name] !== 'string') return undefined
  }
  return value as unknown as RecordedOutcome
}

/** The results in a text that consists only of `<tool_response>` sections; `undefined` for any other text. */
export function responseSections(text: string, path: ResultPlace['path'] = []): RecordedResult[] | undefined {
  const results: RecordedResult[] = []
  let at = skipSpace(text, 0)
  if (!text.startsWith(OPEN, at)) return undefined
  while (at < text.length) {
    if (!text.startsWith(OPEN, at)) return undefined
    const end = sectionEnd(text, at + OPEN.length)
    if (end === -1) return undefined
    results.push(sectionResult(text.slice(at + OPEN.length, end).trim(), { path, section: results.length }))
    at = skipSpace(text, end + CLOSE.length)
  }
  return results
}

/** Replaces the content of one section. */
export function replaceSection(text: string, section: number, replacement: string): string {
  let at = 0
  for (let index = 0; ; index++) {
    const open = text.indexOf(OPEN, at)
    const end = open === -1 ? -1 : sectionEnd(text, open + OPEN.length)
    if (end === -1) return text
    if (index === section) return `${text.slice(0, open + OPEN.length)}\n${tagSafe(replacement)}\n${text.slice(end)}`
    at = end + CLOSE.length
  }
}

/** Escapes the closing tag, which is only possible in JSON; other texts stay as they are. */
export function tagSafe(text: string): string {
  return text.includes('</') && jsonOr(text) !== undefined ? text.replaceAll('</', '<\\/') : text
}

/** End of a section: since a response may quote the closing tag, it must be followed by another section, or nothing. */
function sectionEnd(text: string, from: number): number {
  for (let end = text.indexOf(CLOSE, from); end !== -1; end = text.indexOf(CLOSE, end + 1)) {
    const next = skipSpace(text, end + CLOSE.length)
    if (next === text.length || text.startsWith(OPEN, next)) return end
  }
  return -1
}

/** Unwraps `{"name", "content"}` and `{"tool_call_id", "content"}`, which some harnesses add. */
function sectionResult(text: string, place: ResultPlace): RecordedResult {
  const value = jsonObject(text)
  if (!value || !('content' in value) || 'success' in value) return recordedResult(text, { place })
  return recordedResult(value['content'], { callId: textOf(value['tool_call_id']), place })
}

function isErrorOnly(value: Record<string, unknown>): boolean {
  return typeof value['error'] === 'string'
    && Object.keys(value).every((name) => name === 'error' || name === 'success')
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] ?? '')) at++
  return at
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  if (text.length > MOST_JSON || !/^\s*\{/.test(text)) return undefined
  const value = jsonOr(text)
  return isRecord(value) ? value : undefined
}

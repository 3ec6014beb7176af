import { isRecord, type ModelResponse, type ResponseFormat, type ResponsePart } from '../../../0-contracts/src/index.js'
import { beginsAsResponse, parse } from '../../../1-reading/src/index.js'
import { jsonOr, textOf } from '../fields.js'
import { eventValues, lineValues, type Streamed } from './event-stream.js'
import { isOutput, itemParts } from './item-parts.js'
import { langChainMessage } from './langchain-parts.js'
import { messageOf, RESPONSE_ROWS, type ResponseRow } from './response-rows.js'

/** Most of a text to examine where it is no complete JSON, in UTF-16 units. */
const HEAD = 4096
const REPLAY = 'hermes replay runs a whole conversation again; apply takes the last answer of one alone.'

/**
 * Parses a text that is a saved response of a model API: JSON, an event stream, or lines of JSON from OpenAI,
 * Anthropic, Gemini, Bedrock, Ollama or LangChain; also a single message, or the messages of a question and its answer.
 *
 * @returns `undefined` for any other text, also one that just contains JSON
 */
export function readResponse(text: string): ModelResponse | undefined {
  if (!beginsAsResponse(text)) return undefined
  const trimmed = text.replace(/^\uFEFF/, '').trim()
  if (!/^[{[]/.test(trimmed)) return ofStream(eventValues(trimmed))
  const value = jsonOr(trimmed)
  if (value === undefined) return ofStream(lineValues(trimmed)) ?? ofBroken(trimmed)
  return Array.isArray(value) ? ofList(value) : isRecord(value) ? ofRecord(value) : undefined
}

/** A record that is a whole response, read; `undefined` for any other. */
export function wholeResponse(value: Record<string, unknown>): ModelResponse | undefined {
  const row = RESPONSE_ROWS.find(({ isWhole }) => isWhole?.(value))
  return row && ofRow(row, row.parts?.(value) ?? [])
}

/** Whether a record is a chunk of a streamed response. */
export function isStreamPiece(value: Record<string, unknown>): boolean {
  return RESPONSE_ROWS.some(({ isPiece }) => isPiece?.(value))
}

/** Joins chunks of streams to responses. */
export function streamedResponses(pieces: readonly Record<string, unknown>[]): ModelResponse[] {
  const streams: Record<string, unknown>[][] = []
  let isOpen = false
  for (const piece of pieces) {
    if (isOpen) streams.at(-1)?.push(piece)
    else streams.push([piece])
    isOpen = !RESPONSE_ROWS.some(({ ends }) => ends?.(piece))
  }
  return streams.flatMap((values) => ofStream({ values }) ?? [])
}

/** Parses one value: a response, an assistant's message, messages, or an error of the service. */
function ofRecord(value: Record<string, unknown>): ModelResponse | undefined {
  const whole = wholeResponse(value)
  if (whole) return whole
  if (isMessage(value) && value['role'] === 'assistant') return ofMessages([value])
  const failure = failureOf(value)
  if (failure !== undefined) return refused('openai-chat', failure, 'Ask the service again.')
  const { messages, output } = value
  if (Array.isArray(messages) && messages.length > 0 && messages.every(isMessage)) return ofMessages(messages)
  if (Array.isArray(output) && isItems(output)) return { input: 'openai-responses', parts: itemParts(output) }
  return ofStream({ values: [value] })
}

/** Parses a list of messages, items, or chunks. */
function ofList(list: readonly unknown[]): ModelResponse | undefined {
  if (list.length === 0 || !list.every(isRecord)) return undefined
  if (list.every(isMessage)) return ofMessages(list)
  if (isItems(list)) return ofItems(list)
  return ofStream({ values: [...list] })
}

/** The role of a message of any API; `undefined` for what is none. */
function roleOf(value: unknown): string | undefined {
  const lang = langChainMessage(value)
  if (lang) return lang.role
  const isOne = isRecord(value) && (typeof value['content'] === 'string' || Array.isArray(value['content'])
    || Array.isArray(value['tool_calls']) || Array.isArray(value['parts']))
  return isOne ? ROLES[textOf(value['role']) ?? ''] : undefined
}

const ROLES: Readonly<Record<string, string | undefined>> = {
  assistant: 'assistant', model: 'assistant', user: 'user', system: 'user', developer: 'user', tool: 'results',
  function: 'results',
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return roleOf(value) !== undefined
}

/** Parses question and answer; texts of the user and of tools never run. */
function ofMessages(messages: readonly Record<string, unknown>[]): ModelResponse {
  const answers = messages.filter((each) => roleOf(each) === 'assistant')
  const [answer] = answers
  const { format, parts } = messageOf(answer ?? messages[0] ?? {})
  if (answers.length !== 1) {
    return refused(format, `The messages have ${answers.length || 'no'} answers of the assistant`, REPLAY)
  }
  if (messages.at(-1) !== answer) {
    return refused(format, 'The messages go on behind the answer of the assistant', REPLAY)
  }
  return { input: format, parts }
}

const ITEM = /_call(?:_output)?$|^(?:message|reasoning)$/

/** Whether a list has items of OpenAI's Responses, with at least one that no other API has. */
function isItems(list: readonly unknown[]): list is readonly Record<string, unknown>[] {
  const types = list.map((item) => (isRecord(item) ? textOf(item['type']) ?? '' : ''))
  return list.length > 0 && types.every((type) => type !== '') && types.some((type) => ITEM.test(type))
    && !list.some((item) => isRecord(item) && 'parentUuid' in item)
}

function ofItems(items: readonly Record<string, unknown>[]): ModelResponse {
  const isAsked = (item: Record<string, unknown>): boolean => item['type'] === 'message' && item['role'] !== 'assistant'
  const begins = items.findIndex((item) => !isAsked(item))
  const rest = begins === -1 ? [] : items.slice(begins)
  if (rest.some((item) => isAsked(item) || isOutput(item))) {
    return refused('openai-responses', 'The items go on behind the first answer', REPLAY)
  }
  return { input: 'openai-responses', parts: itemParts(rest) }
}

function ofStream(streamed: Streamed | undefined): ModelResponse | undefined {
  if (!streamed) return undefined
  const { values, brokenLine } = streamed
  const failure = values.map(failureOf).find((each) => each !== undefined)
  const row = RESPONSE_ROWS.find(({ isPiece }) => isPiece && values.some((value) => isPiece(value)))
  if (row?.join) {
    const { parts, isEnded } = row.join(values)
    const problem = failure
      ?? (brokenLine !== undefined ? `The stream is no JSON from line ${brokenLine} on` : isEnded ? undefined
        : 'The stream breaks off before its end')
    if (problem === undefined) return { input: row.format, parts }
    const end = refused(row.format, problem, 'What came whole before that was read. Save the response again.')
    return { input: row.format, parts: [...parts, ...end.parts], ...(failure === undefined && { isCutOff: true }) }
  }
  const isEach = ({ isWhole }: ResponseRow): boolean => values.length > 1 && values.every((each) => isWhole?.(each))
  const whole = RESPONSE_ROWS.find(isEach)
  if (whole) return refused(whole.format, `There are ${values.length} responses`, 'Give one; hermes replay takes many.')
  if (values.length > 1 && values.every(isMessage)) return ofMessages(values)
  return failure === undefined ? undefined : refused('openai-chat', failure, 'Ask the service again.')
}

/** Handles JSON that does not parse, but begins like a response. */
function ofBroken(text: string): ModelResponse | undefined {
  const head = text.slice(0, HEAD)
  const row = RESPONSE_ROWS.find(({ begins }) => begins?.test(head))
  // Text that continues behind its JSON, or contains blocks, is an answer.
  if (!row || goesOn(text) || parse(text).totalBlocks > 0) return undefined
  const hint = 'It was cut off, or changed: save it again.'
  return { ...refused(row.format, 'The response is no whole JSON', hint), isCutOff: true }
}

/** Whether the first value of a text is complete and more follows. */
function goesOn(text: string): boolean {
  let [depth, inString] = [0, false]
  for (let at = 0; at < text.length - 1; at++) {
    const sign = text[at]
    if (sign === '\\' && inString) at++
    else if (sign === '"') inString = !inString
    else if (inString) continue
    else if (sign === '{' || sign === '[') depth++
    else if ((sign === '}' || sign === ']') && --depth === 0) return true
  }
  return false
}

function ofRow({ format }: ResponseRow, parts: ResponsePart[] | string): ModelResponse {
  return typeof parts === 'string' ? refused(format, parts, 'Give a response of one answer.')
    : { input: format, parts }
}

const FAILURE = new Set(['error', 'type', 'request_id', 'code', 'message', 'status', 'sequence_number'])

/** The message of `{"error": {"message"}}` or `{"type": "error", …}`, when the service has failed. */
function failureOf(value: Record<string, unknown>): string | undefined {
  const { error } = value
  const isAlone = Object.keys(value).every((key) => FAILURE.has(key))
  const message = isRecord(error) ? textOf(error['message']) : undefined
  return isAlone && message !== undefined ? `The service answered with a failure: ${message}` : undefined
}

function refused(input: ResponseFormat, problem: string, hint: string): ModelResponse {
  return { input, parts: [{ type: 'unread', name: input, code: 'NOT_READ', problem, hint }] }
}

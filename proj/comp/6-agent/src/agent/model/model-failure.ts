import { HermesError, isRecord } from '../../../../0-contracts/src/index.js'
import { escapeControls, clip } from '../../../../0-text/src/index.js'
import { saysTooLong } from './overflow-wordings.js'
import { askedWaitMs } from './rate-limits.js'
import { ServerError } from './server-error.js'
import { unreachedHint, withoutPage } from './server-unreached.js'

/** What a failed request means: whether to retry, and when. */
export interface ModelFailure {
  /** In one line. */
  reason: string
  /** Whether the same request may succeed later. */
  mayPass: boolean
  /** Wait that the server asks for, in milliseconds. */
  waitMs?: number | undefined
  /** The conversation is longer than the model accepts. */
  isTooLong?: true
  /** The server or model supports no function calling. */
  refusesTools?: true
  /** The key is refused, for any request. */
  isKeyRefused?: true
  hint?: string | undefined
}

/** Thrown when an answer breaks off or is not one, without an error reported by the server. */
export class BrokenAnswer extends Error {
  constructor(message: string, readonly mayPass: boolean, readonly hint?: string) {
    super(message)
  }
}

const PASSING = new Set([408, 409, 425, 429])
/**
 * Wordings of Ollama; of vLLM and llama.cpp started without tool options; llama.cpp of 2024; OpenRouter; hosts of
 * single models.
 */
const NO_TOOLS = new RegExp([
  'does not support (?:tool|function)', 'requires --enable-auto-tool-choice', 'tools param requires --jinja',
  'unsupported param: tools', 'no endpoints found that support tool use',
  '(?:tool|function)[ -]?(?:use|call(?:ing|s)?) is not (?:supported|enabled)', '`?tools`? (?:is|are) not supported',
].join('|'), 'i')
const NO_MONEY = /insufficient_quota|billing|credit/i
/** Some services refuse a text with status 403, which then is not about the key. */
const ABOUT_THE_TEXT = /moderation|flagged|content.{0,10}policy/i
export const ADDRESS = 'the base URL, which usually ends in /v1, and the api that it speaks: chat, responses or '
  + 'anthropic.'
const TOO_LONG_HINT = 'The conversation is longer than the model takes, and could not be made shorter: begin a new one '
  + 'or ask for less at once, or set context_window to what the server takes.'
const MOST_REASON = 300
/** Longest part of a server's message that is read, in UTF-16 units. */
const MOST_READ = 10_000

/**
 * Classifies whatever a request threw.
 *
 * @param mask removes keys from the server's message
 */
export function judgeFailure(error: unknown, mask: (text: string) => string): ModelFailure {
  const oneLine = (text: string): string => (
    clip(escapeControls(mask(text.slice(0, MOST_READ)).replace(/\s+/g, ' ').trim()), MOST_REASON)
  )
  if (error instanceof BrokenAnswer) {
    const { message, mayPass, hint } = error
    return { reason: oneLine(message), mayPass, hint }
  }
  if (error instanceof SyntaxError) return { reason: 'The server sent an event that is no JSON', mayPass: true }
  if (!(error instanceof Error)) return { reason: 'The request failed', mayPass: false }
  const number = error instanceof ServerError ? numberOf(error) : undefined
  if (error instanceof ServerError && saysTooLong(number, wordsOf(error))) {
    return { reason: oneLine(error.message), mayPass: false, isTooLong: true, hint: TOO_LONG_HINT }
  }
  // Without a status the connection failed, or the error came within the stream.
  if (!(error instanceof ServerError) || number === undefined) {
    const said = oneLine(causes(error))
    return { reason: `The connection failed: ${said}`, mayPass: true, hint: unreachedHint(said) }
  }
  const { code, headers, status } = error
  const said = oneLine(status === undefined ? error.message
    : `${status} ${withoutPage(error.message.slice(String(status).length + 1))}`)
  if (number >= 300 && number < 400) return redirected(number, oneLine(headers.get('location') ?? 'nowhere'))
  const words = `${String(code)} ${said}`
  if (NO_TOOLS.test(said)) return { reason: said, mayPass: false, refusesTools: true }
  const waitMs = askedWaitMs(headers, number === 429)
  const mayPass = number >= 500 || (PASSING.has(number) && !NO_MONEY.test(words))
  return { reason: said, mayPass, waitMs, ...hintFor(number, words) }
}

/** Thrown when the request must be made again without function calling. */
export class ToolsRefused extends Error {}

/** What is thrown where no retry helps. */
export function modelFailed({ reason, hint, isKeyRefused }: ModelFailure, tries: number): HermesError {
  const again = tries > 1 ? ` (${tries} tries)` : ''
  return new HermesError('MODEL_FAILED', `The model's server failed${again}: ${reason}`, {
    hint: hint ?? 'Try again later, or another model. What was done so far stays done; the conversation can go on.',
    data: isKeyRefused && { isKeyRefused },
  })
}

/** Whether a request failed because of its key: then every other request will too. */
export function isKeyRefusal(error: unknown): error is HermesError {
  if (!(error instanceof HermesError) || error.code !== 'MODEL_FAILED') return false
  return isRecord(error.data) && error.data['isKeyRefused'] === true
}

/** Redirects are refused: the conversation and the user's own headers would be sent along. */
function redirected(status: number, location: string): ModelFailure {
  const hint = 'Redirects are not followed: what you say would go along. Where you trust it, set the base URL to that '
    + 'address, without /chat/completions.'
  return { reason: `${status}: the server redirects to ${location}`, mayPass: false, hint }
}

function hintFor(status: number, words: string): Pick<ModelFailure, 'hint' | 'isKeyRefused'> {
  if ((status === 403 || status === 400) && ABOUT_THE_TEXT.test(words)) {
    return { hint: 'The server does not take this text: change it, or leave it out.' }
  }
  if (status === 401 || status === 403) {
    return { hint: 'Check the API key, and that it belongs to this base URL.', isKeyRefused: true }
  }
  if (status === 402 || (status === 400 && NO_MONEY.test(words))) return { hint: 'The account has no credit left.' }
  if (status === 404 || status === 405) return { hint: `Check the name of the model, ${ADDRESS}` }
  if (status === 400 || status === 422) return { hint: `The server does not take the request: check ${ADDRESS}` }
  return {}
}

function wordsOf({ code, kind, message }: ServerError): string {
  return `${String(code)} ${String(kind)} ${message.slice(0, MOST_READ)}`
}

/** The HTTP status of an error, or the code in its place if the error came within an answer. */
function numberOf({ status, code }: ServerError): number | undefined {
  const isNumber = (typeof code === 'number' || typeof code === 'string') && /^[1-5]\d\d$/.test(String(code))
  return status ?? (isNumber ? Number(code) : undefined)
}

/** Messages that say nothing if the cause is known. */
const EMPTY_WORDS = new Set(['', 'fetch failed'])

/** The messages of an error and its causes: for a failed fetch only the causes explain it. */
function causes(error: Error): string {
  const parts = [error.message]
  for (let cause = error.cause, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    const code = isRecord(cause) && typeof cause['code'] === 'string' ? cause['code'] : ''
    parts.push(code === '' || cause.message.includes(code) ? cause.message : `${code}: ${cause.message}`)
  }
  const telling = parts.filter((part) => !EMPTY_WORDS.has(part))
  return (telling.length > 0 ? telling : [error.message]).join(': ')
}

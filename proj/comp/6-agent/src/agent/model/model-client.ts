import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../../../0-contracts/src/index.js'
import { keyHeaders, type ModelApi } from '../../../../2-config/src/index.js'
import type { Endpoint } from './endpoint.js'
import { keyMask } from './key-mask.js'
import { BrokenAnswer } from './model-failure.js'
import { lookUp, postJson, type HeaderFields } from './model-fetch.js'
import type { AgentOptions } from '../loop-options.js'
import { askedWaitMs } from './rate-limits.js'
import { ServerError } from './server-error.js'
import { serverEvents, textOf, wholeOf } from './server-events.js'
import { Silence } from './silence.js'
import { AnswerPieces, type ModelAnswer, type ModelDelta } from './wire/answer-pieces.js'
import type { AnswerReader } from './wire/answer-reader.js'
import type { Asked, Refused, RequestSettings } from './wire/asked.js'
import { interfaceOf, type ModelInterface } from './wire/model-interface.js'

export interface ModelRequest extends Asked {
  signal: AbortSignal
  onDelta?: (delta: ModelDelta) => void
  /** See `AnswerPieces`. */
  onText?: ((written: string) => void) | undefined
}

type Settings = RequestSettings & Pick<AgentOptions, 'timeoutMs' | 'headers'>

/** How long a server may be silent, in milliseconds. */
const TIMEOUT_MS = 300_000
const BAD_TYPE = 'Check the base URL, which usually ends in /v1, and the api that it speaks: chat, responses or '
  + 'anthropic.'

/** One model server. Each request is made once: who asks decides about another. */
export class ModelClient {
  readonly #url: URL
  readonly #baseURL: string
  /** A service for everybody: it has no other addresses than those it documents. */
  readonly isPublic: boolean
  readonly #headers: readonly HeaderFields[]
  readonly #settings: Settings
  readonly #interface: ModelInterface
  readonly api: ModelApi
  #refused: Refused = {}
  /** Takes the key out of what the server says. */
  readonly mask: (text: string) => string
  /** No earlier, since the server said that its limit is used up; milliseconds since the epoch. */
  notBefore = 0

  constructor(endpoint: Endpoint, settings: Settings) {
    this.api = endpoint.api
    this.#interface = interfaceOf(endpoint.api)
    this.#url = placeOf(endpoint.baseURL, this.#interface.place)
    this.#baseURL = endpoint.baseURL
    this.isPublic = /(?:^|\.)(?:openrouter\.ai|openai\.com|anthropic\.com|googleapis\.com)$/.test(this.#url.hostname)
    const { apiKey, headers } = endpoint
    const ours = { accept: 'application/json', 'user-agent': 'hermes', ...keyHeaders(endpoint.api, apiKey) }
    this.#headers = [ours, headers, settings.headers ?? {}]
    this.#settings = settings
    this.mask = keyMask(endpoint, { ...headers, ...settings.headers })
  }

  /**
   * The model's answer, told piece by piece as it comes.
   *
   * @throws BrokenAnswer, ServerError, what `fetch` throws: see `judgeFailure`; when `signal` is aborted, whatever
   * comes first
   */
  async ask(request: ModelRequest): Promise<ModelAnswer> {
    try {
      return await this.#ask(request)
    } catch (error) {
      const refused = error instanceof ServerError && error.status === 400
        ? this.#interface.wishRefused(error.message) : undefined
      if (!refused || isKnown(refused, this.#refused)) throw error
      this.#refused = { ...this.#refused, ...refused }
      return this.#ask(request)
    }
  }

  /**
   * A look at what the server says of itself; nothing of the conversation goes along.
   *
   * @param place below the base URL, or with `/` below the root of the server
   * @param document is posted, where there is one
   * @returns `undefined` where it does not answer so
   */
  async look(place: string, signal: AbortSignal, document?: object): Promise<unknown> {
    return lookUp(placeOf(this.#baseURL, place), this.#headers, signal, document)
  }

  async #ask({ signal, onDelta, onText, ...asked }: ModelRequest): Promise<ModelAnswer> {
    const silence = new Silence(signal, this.#settings.timeoutMs ?? TIMEOUT_MS)
    const pieces = new AnswerPieces(onDelta, onText)
    try {
      const body = this.#interface.request(asked, this.#settings, this.#refused)
      const response = await postJson(this.#url, body, this.#headers, silence.signal)
      const waitMs = askedWaitMs(response.headers, false)
      if (waitMs !== undefined) this.notBefore = Date.now() + waitMs
      await this.#read(response, pieces, silence)
      return pieces.answer()
    } catch (error) {
      pieces.end()
      if (!silence.isOver || signal.aborted) throw error
      throw new BrokenAnswer(`The server was silent for ${silence.ms / 1000} s`, true)
    } finally {
      silence.release()
    }
  }

  async #read(response: Response, pieces: AnswerPieces, silence: Silence): Promise<void> {
    const reader = this.#interface.reader(pieces)
    const type = response.headers.get('content-type') ?? ''
    const isStream = /^text\/event-stream\b/i.test(type)
    if (response.body === null || (!isStream && !/^application\/json\b/i.test(type))) {
      await response.body?.cancel()
      const what = type === '' ? 'no content type' : type.split(';')[0]
      throw new BrokenAnswer(`The server answered with ${what}`, false, BAD_TYPE)
    }
    const texts = textOf(response.body, () => silence.heard())
    if (!isStream) {
      const body: unknown = JSON.parse(await wholeOf(texts))
      if (isRecord(body) && body['error'] && !isAnswer(body)) throw toldIn(body, response)
      reader.readWhole(body)
      return
    }
    try {
      for await (const { name, data } of serverEvents(texts)) {
        if (pieces.isDone || data === '') continue
        if (data.startsWith('[DONE]')) pieces.done()
        else readEvent(name, JSON.parse(data), reader, response)
        if (pieces.isDone) silence.endSoon()
      }
    } catch (error) {
      if (!pieces.isDone) throw error
    }
  }
}

function readEvent(name: string, chunk: unknown, reader: AnswerReader, response: Response): void {
  if (isRecord(chunk) && (chunk['error'] || name === 'error')) throw toldIn(chunk, response)
  reader.readEvent(chunk)
}

/** Once the status was sent, a server can tell of a failure only so; routers do it at once. */
function toldIn({ error, message }: Record<string, unknown>, { headers }: Response): ServerError {
  const told = isRecord(error) ? error : { message: error ?? message ?? 'The server failed' }
  return new ServerError(undefined, told, headers)
}

/** A query of the base URL stays behind the path. */
function placeOf(baseURL: string, place: string): URL {
  const url = new URL(baseURL)
  const base = url.pathname.replace(/\/$/, '')
  url.pathname = place.startsWith('/') ? `${base.replace(/\/v\d+$/, '')}${place}` : `${base}/${place}`
  return url
}

/** A response of OpenAI tells of its error in the same field that failures have. */
function isAnswer(body: Record<string, unknown>): boolean {
  return ['choices', 'output', 'content'].some((field) => Array.isArray(body[field]))
}

/** The server refuses again what it was not asked for. */
function isKnown(refused: Refused, known: Refused): boolean {
  return isDeepStrictEqual({ ...known, ...refused }, known)
}

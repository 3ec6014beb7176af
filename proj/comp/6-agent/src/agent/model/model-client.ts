import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../../../0-contracts/src/index.js'
import { createMasker } from '../../../../0-text/src/index.js'
import { keyHeaders, type ModelApi } from '../../../../2-config/src/index.js'
import type { Endpoint } from './endpoint.js'
import { ADDRESS, BrokenAnswer, judgeFailure } from './model-failure.js'
import { lookUp, postJson, type HeaderFields } from './model-fetch.js'
import type { AgentOptions } from '../loop-options.js'
import { withTexts } from '../delegate/shown-paths.js'
import { askedWaitMs } from './rate-limits.js'
import { RefusedImages } from './refused-images.js'
import { ServerError } from './server-error.js'
import { serverEvents, textOf, wholeOf } from './server-events.js'
import { Silence } from './silence.js'
import { AnswerPieces, type ModelAnswer, type ModelDelta } from './wire/answer-pieces.js'
import type { AnswerReader } from './wire/answer-reader.js'
import type { Asked, Refused, RequestSettings } from './wire/asked.js'
import { INTERFACES, type ModelInterface } from './wire/model-interface.js'

export interface ModelRequest extends Asked {
  signal: AbortSignal
  onDelta?: (delta: ModelDelta) => void
  /** See `AnswerPieces`. */
  onText?: ((written: string) => void) | undefined
  /** Receives notices for the user about how the request was made. */
  onNotice?: (text: string) => void
}

type Settings = RequestSettings & Pick<AgentOptions, 'timeoutMs' | 'headers'>

/** Default of how long a server may send nothing, in milliseconds. */
const TIMEOUT_MS = 300_000
/** Of a key that a server repeats in part. */
const SHORTEST_PART = 12
const WORD = /[\w.~+/-]+/g

/** Client of one model server. Makes each request once: the caller decides on retries. */
export class ModelClient {
  readonly #url: URL
  readonly #baseURL: string
  /** Whether it is a known public service, which has no other endpoints than it documents. */
  readonly isPublic: boolean
  readonly #headers: readonly HeaderFields[]
  readonly #interface: ModelInterface
  readonly api: ModelApi
  #refused: Refused = {}
  readonly #refusedImages = new RefusedImages()
  /** Masks the key in what the server says. */
  readonly mask: (text: string) => string
  /**
   * Earliest time of the next request, since the server reported its limit as used up; milliseconds since the epoch.
   */
  notBefore = 0

  /** @param shown maps each text of a request: a delegate's model must not see the paths of its copy */
  constructor(
    endpoint: Endpoint, private readonly settings: Settings, private readonly shown?: (text: string) => string,
  ) {
    this.api = endpoint.api
    this.#interface = INTERFACES[endpoint.api]
    this.#url = placeOf(endpoint.baseURL, this.#interface.place)
    this.#baseURL = endpoint.baseURL
    this.isPublic = /(?:^|\.)(?:openrouter\.ai|openai\.com|anthropic\.com|googleapis\.com)$/.test(this.#url.hostname)
    const { apiKey, headers } = endpoint
    const ours = { accept: 'application/json', 'user-agent': 'hermes', ...keyHeaders(endpoint.api, apiKey) }
    this.#headers = [ours, headers, settings.headers ?? {}]
    this.mask = keyMask(endpoint, { ...headers, ...settings.headers })
  }

  /**
   * Asks the model; its answer is passed on piece by piece as it streams.
   *
   * @throws BrokenAnswer, ServerError, what `fetch` throws: see `judgeFailure`; any of them when `signal` is aborted
   */
  async ask(request: ModelRequest): Promise<ModelAnswer> {
    try {
      return await this.#ask(request)
    } catch (error) {
      if (this.#refusedImages.refuse(request.messages, error)) {
        const { reason } = judgeFailure(error, this.mask)
        request.onNotice?.(`The server refused an image (${reason}): asked again in words alone`)
        return this.ask(request)
      }
      const refused = error instanceof ServerError && error.status === 400
        ? this.#interface.wishRefused(error.message) : undefined
      const all = { ...this.#refused, ...refused }
      // What was left out already is not what it refuses.
      if (!refused || isDeepStrictEqual(all, this.#refused)) throw error
      this.#refused = all
      return this.#ask(request)
    }
  }

  /**
   * Reads what the server says of itself; sends nothing of the conversation.
   *
   * @param place path below the base URL, or with a leading `/` below the server's root
   * @param document posted, if given
   * @returns `undefined` where the server has no such document
   */
  async look(place: string, signal: AbortSignal, document?: object): Promise<unknown> {
    return lookUp(placeOf(this.#baseURL, place), this.#headers, signal, document)
  }

  async #ask({ signal, onDelta, onText, model, messages, tools }: ModelRequest): Promise<ModelAnswer> {
    const silence = new Silence(signal, this.settings.timeoutMs ?? TIMEOUT_MS)
    const pieces = new AnswerPieces(onDelta, onText)
    try {
      const asked = { model, messages: this.#refusedImages.inWords(messages), ...(tools && { tools }) }
      const told = this.shown ? withTexts(asked, this.shown) : asked
      const body = this.#interface.request(told, this.settings, this.#refused)
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
      throw new BrokenAnswer(`The server answered with ${what}`, false, `Check ${ADDRESS}`)
    }
    const texts = textOf(response.body, () => silence.heard())
    if (!isStream) {
      const body: unknown = JSON.parse(await wholeOf(texts))
      // OpenAI's Responses have the field `error` in answers too.
      const isAnswer = isRecord(body) && ['choices', 'output', 'content'].some((field) => Array.isArray(body[field]))
      if (isRecord(body) && body['error'] && !isAnswer) throw toldIn(body, response)
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

/**
 * Takes keys out of what a server says: some, and proxies before them, repeat what they refuse, whole or cut. What is
 * masked: secrets of the environment, what has the form of one, the key, and the values of the user's own headers.
 */
function keyMask({ apiKey }: Endpoint, headers: HeaderFields): (text: string) => string {
  const own = Object.entries(headers).map(([name, value]) => [`${name} KEY`, value] as const)
  const masker = createMasker({ MODEL_API_KEY: apiKey, ...Object.fromEntries(own), ...process.env }, { shapes: true })
  const secrets = [apiKey, ...Object.values(headers)]
  const isPart = (word: string): boolean => word.length >= SHORTEST_PART && secrets.some((key) => key.includes(word))
  return (text) => masker.text(text).replace(WORD, (word) => (isPart(word) ? '[masked]' : word))
}

function readEvent(name: string, chunk: unknown, reader: AnswerReader, response: Response): void {
  if (isRecord(chunk) && (chunk['error'] || name === 'error')) throw toldIn(chunk, response)
  reader.readEvent(chunk)
}

/** An error inside an answer: after sending its status a server has no other way to report it; routers always do so. */
function toldIn({ error, message }: Record<string, unknown>, { headers }: Response): ServerError {
  const told = isRecord(error) ? error : { message: error ?? message ?? 'The server failed' }
  return new ServerError(undefined, told, headers)
}

/** Adds a path to the base URL, before the URL's query. */
function placeOf(baseURL: string, place: string): URL {
  const url = new URL(baseURL)
  const base = url.pathname.replace(/\/$/, '')
  url.pathname = place.startsWith('/') ? `${base.replace(/\/v\d+$/, '')}${place}` : `${base}/${place}`
  return url
}


import { isRecord } from '../../../../0-contracts/src/index.js'
import { AnswerReader, type ModelAnswer, type ModelDelta } from './answer-reader.js'
import { completionRequest, type Asked } from './completion-request.js'
import type { Endpoint } from './endpoint.js'
import { keyMask } from './key-mask.js'
import { BrokenAnswer } from './model-failure.js'
import { lookUp, postJson, type HeaderFields } from './model-fetch.js'
import type { AgentOptions } from '../loop-options.js'
import { askedWaitMs } from './rate-limits.js'
import { ServerError } from './server-error.js'
import { serverEvents, textOf, wholeOf } from './server-events.js'
import { Silence } from './silence.js'

export interface ModelRequest extends Asked {
  signal: AbortSignal
  onDelta?: (delta: ModelDelta) => void
  /** See `AnswerReader`. */
  onText?: ((written: string) => void) | undefined
}

type Settings = Pick<AgentOptions, 'timeoutMs' | 'headers' | 'maxTokens' | 'temperature'>

/** How long a server may be silent, in milliseconds. */
const TIMEOUT_MS = 300_000
const BAD_TYPE = 'Check the base URL: it should be the one of an interface like OpenAI’s, and usually ends in /v1.'

/** One model server. Each request is made once: who asks decides about another. */
export class ModelClient {
  readonly #url: URL
  readonly #baseURL: string
  /** A service for everybody: it has no other addresses than those it documents. */
  readonly isPublic: boolean
  readonly #headers: readonly HeaderFields[]
  readonly #settings: Settings
  /** Some servers refuse the wish for figures. */
  #asksUsage = true
  /** Takes the key out of what the server says. */
  readonly mask: (text: string) => string
  /** No earlier, since the server said that its limit is used up; milliseconds since the epoch. */
  notBefore = 0

  constructor(endpoint: Endpoint, settings: Settings) {
    this.#url = placeOf(endpoint.baseURL, 'chat/completions')
    this.#baseURL = endpoint.baseURL
    this.isPublic = /(?:^|\.)(?:openrouter\.ai|openai\.com|anthropic\.com|googleapis\.com)$/.test(this.#url.hostname)
    const { apiKey, headers } = endpoint
    const ours = { accept: 'application/json', 'user-agent': 'hermes', authorization: `Bearer ${apiKey}` }
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
      if (!this.#asksUsage || !isRefusedWish(error)) throw error
      this.#asksUsage = false
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
    const reader = new AnswerReader(onDelta, onText)
    try {
      const body = completionRequest(asked, this.#settings, this.#asksUsage)
      const response = await postJson(this.#url, body, this.#headers, silence.signal)
      const waitMs = askedWaitMs(response.headers, false)
      if (waitMs !== undefined) this.notBefore = Date.now() + waitMs
      await this.#read(response, reader, silence)
      return reader.answer()
    } catch (error) {
      reader.end()
      if (!silence.isOver || signal.aborted) throw error
      throw new BrokenAnswer(`The server was silent for ${silence.ms / 1000} s`, true)
    } finally {
      silence.release()
    }
  }

  async #read(response: Response, reader: AnswerReader, silence: Silence): Promise<void> {
    const type = response.headers.get('content-type') ?? ''
    const isStream = /^text\/event-stream\b/i.test(type)
    if (response.body === null || (!isStream && !/^application\/json\b/i.test(type))) {
      await response.body?.cancel()
      const what = type === '' ? 'no content type' : type.split(';')[0]
      throw new BrokenAnswer(`The server answered with ${what}`, false, BAD_TYPE)
    }
    const pieces = textOf(response.body, () => silence.heard())
    if (!isStream) {
      const body: unknown = JSON.parse(await wholeOf(pieces))
      if (isRecord(body) && body['error'] && !Array.isArray(body['choices'])) throw toldIn(body, response)
      reader.readWhole(body)
      return
    }
    let isDone = false
    try {
      for await (const { name, data } of serverEvents(pieces)) {
        if (isDone || data === '') continue
        isDone = data.startsWith('[DONE]')
        if (isDone) {
          reader.done()
          silence.endSoon()
        } else readEvent(name, JSON.parse(data), reader, response)
      }
    } catch (error) {
      if (!isDone) throw error
    }
  }
}

function readEvent(name: string, chunk: unknown, reader: AnswerReader, response: Response): void {
  if (isRecord(chunk) && (chunk['error'] || name === 'error')) throw toldIn(chunk, response)
  reader.readChunk(chunk)
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

function isRefusedWish(error: unknown): boolean {
  return error instanceof ServerError && error.status === 400 && /stream_options|include_usage/.test(error.message)
}

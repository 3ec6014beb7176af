import type OpenAI from 'openai'
import { isRecord } from '../../contracts/src/index.js'
import type { OpenAiTool } from '../../registry/src/index.js'
import { AnswerReader, type ModelAnswer, type ModelDelta } from './answer-reader.js'
import type { Endpoint } from './endpoint.js'
import type { Message } from './messages.js'
import { keyMask } from './key-mask.js'
import { BrokenAnswer } from './model-failure.js'
import { modelFetch } from './model-fetch.js'
import type { AgentOptions } from './options.js'
import { askedWaitMs } from './rate-limits.js'
import { serverEvents, textOf, wholeOf } from './server-events.js'
import { Silence } from './silence.js'
import { wireMessage } from './wire-message.js'

export interface ModelRequest {
  model: string
  messages: readonly Message[]
  tools?: readonly OpenAiTool[]
  signal: AbortSignal
  onDelta?: (delta: ModelDelta) => void
}

type Settings = Pick<AgentOptions, 'timeoutMs' | 'headers' | 'maxTokens' | 'temperature'>

/** How long a server may be silent, in milliseconds. */
const TIMEOUT_MS = 300_000
const BAD_TYPE = 'Check the base URL: it should be the one of an interface like OpenAI’s, and usually ends in /v1.'

/** One model server. Each request is made once: who asks decides about another. */
export class ModelClient {
  readonly #endpoint: Endpoint
  readonly #settings: Settings
  #client: OpenAI | undefined
  /** Some servers refuse the wish for figures. */
  #asksUsage = true
  /** Takes the key out of what the server says. */
  readonly mask: (text: string) => string
  /** No earlier, since the server said that its limit is used up; milliseconds since the epoch. */
  notBefore = 0

  constructor(endpoint: Endpoint, settings: Settings) {
    this.#endpoint = endpoint
    this.#settings = settings
    this.mask = keyMask(endpoint, settings.headers)
  }

  /**
   * The model's answer, told piece by piece as it comes.
   *
   * @throws BrokenAnswer, errors of the package: see `judgeFailure`; when `signal` is aborted, whatever comes first
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

  async #ask({ model, messages, tools = [], signal, onDelta }: ModelRequest): Promise<ModelAnswer> {
    const client = await this.#open()
    const silence = new Silence(signal, this.#settings.timeoutMs ?? TIMEOUT_MS)
    try {
      const { maxTokens, temperature } = this.#settings
      const response = await client.chat.completions.create({
        model, messages: messages.map(wireMessage), stream: true,
        ...(this.#asksUsage && { stream_options: { include_usage: true } }),
        ...(tools.length > 0 && {
          tools: tools.map(({ type, function: definition }) => ({ type, function: { ...definition } })),
        }),
        ...(maxTokens !== undefined && { max_tokens: maxTokens }), ...(temperature !== undefined && { temperature }),
      }, { signal: silence.signal }).asResponse()
      const waitMs = askedWaitMs(response.headers, false)
      if (waitMs !== undefined) this.notBefore = Date.now() + waitMs
      const reader = new AnswerReader(onDelta)
      await this.#read(response, reader, silence)
      return reader.answer()
    } catch (error) {
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
      if (isRecord(body) && body['error'] && !Array.isArray(body['choices'])) await this.#throwTold(body, response)
      reader.readWhole(body)
      return
    }
    let isDone = false
    try {
      for await (const { name, data } of serverEvents(pieces)) {
        if (isDone || data === '') continue
        isDone = data.startsWith('[DONE]')
        if (isDone) silence.endSoon()
        else await this.#readEvent(name, JSON.parse(data), reader, response)
      }
    } catch (error) {
      if (!isDone) throw error
    }
  }

  async #readEvent(name: string, chunk: unknown, reader: AnswerReader, response: Response): Promise<void> {
    if (isRecord(chunk) && (chunk['error'] || name === 'error')) await this.#throwTold(chunk, response)
    reader.readChunk(chunk)
  }

  /** Once the status was sent, a server can tell of a failure only so; routers do it at once. */
  async #throwTold({ error, message }: Record<string, unknown>, { headers }: Response): Promise<never> {
    const { APIError } = await import('openai')
    const told = isRecord(error) ? error : { message: error ?? message ?? 'The server failed' }
    throw new APIError(undefined, told, undefined, headers)
  }

  async #open(): Promise<OpenAI> {
    if (this.#client) return this.#client
    const { default: Client } = await import('openai')
    const { apiKey, baseURL } = this.#endpoint
    this.#client = new Client({
      apiKey, baseURL, maxRetries: 0, timeout: this.#settings.timeoutMs ?? TIMEOUT_MS, logLevel: 'off',
      organization: null, project: null, adminAPIKey: null, fetch: modelFetch,
      defaultHeaders: { ...this.#endpoint.withoutHeaders, ...this.#settings.headers },
    })
    return this.#client
  }
}

function isRefusedWish(error: unknown): boolean {
  return isRecord(error) && error['status'] === 400 && error instanceof Error
    && /stream_options|include_usage/.test(error.message)
}

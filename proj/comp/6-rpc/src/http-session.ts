import {
  answerMessage, RPC, RpcError, showId, type AnswerMessage, type IncomingMessage, type IncomingRequest, type MessageId,
  type Peer, type RequestOptions,
} from '../../2-wire/src/index.js'
import type { ClientSession } from './client-session.js'

/** Sends a message to the client while its request runs; without it the client gets only an answer. */
export type Tell = (message: object) => Promise<void>

interface Question {
  resolve: (result: unknown) => void
  reject: (error: RpcError) => void
}

/** One HTTP client; a request may concern another one that is still running. */
export class HttpSession {
  readonly #running = new Map<MessageId, AbortController>()
  /** Our requests to the client that it has not answered. */
  readonly #questions = new Map<MessageId, Question>()
  #asked = 0
  #usedAt = performance.now()

  constructor(readonly id: string, private readonly session: ClientSession) {}

  get isInitialized(): boolean {
    return this.session.isInitialized
  }

  /** Milliseconds since the last request; 0 while one runs. */
  get idleMs(): number {
    return this.#running.size > 0 ? 0 : performance.now() - this.#usedAt
  }

  /** Handles a notification, or an answer to one of our requests. */
  take(message: Exclude<IncomingMessage, { kind: 'request' | 'invalid' }>): void {
    this.#usedAt = performance.now()
    if (message.kind === 'answer') {
      const question = message.id === null ? undefined : this.#questions.get(message.id)
      if (message.error) question?.reject(new RpcError(message.error.code, message.error.message, message.error.data))
      else question?.resolve(message.result)
    } else if (message.method === '$/cancelRequest') {
      const id = (message.params as { id?: MessageId } | undefined)?.id
      if (id !== undefined) this.#running.get(id)?.abort()
    } else if (message.method === 'exit') {
      this.session.methods.notifications?.['exit']?.(undefined, this.#peer(undefined))
    }
  }

  /** Runs a request; never rejects. @param left aborted when the client has gone */
  async answer(request: IncomingRequest, left: AbortSignal, tell?: Tell): Promise<AnswerMessage> {
    const { id } = request
    if (this.#running.has(id)) {
      const message = `The id ${showId(id)} is in use by a request that is not answered yet`
      return { jsonrpc: '2.0', id, error: { code: RPC.invalidRequest, message } }
    }
    const controller = new AbortController()
    this.#running.set(id, controller)
    try {
      const signal = AbortSignal.any([controller.signal, left])
      return await answerMessage(request, this.session.methods, { peer: this.#peer(tell), signal })
    } finally {
      this.#running.delete(id)
      this.#usedAt = performance.now()
    }
  }

  /** Aborts running requests, and ends the session. */
  async end(): Promise<void> {
    for (const controller of this.#running.values()) controller.abort()
    await this.session.dispose()
  }

  #peer(tell: Tell | undefined): Peer {
    return {
      async notify(method, params) {
        await tell?.({ jsonrpc: '2.0', method, params })
      },
      request: (method, params, options) => (tell ? this.#ask(tell, method, params, options) : Promise.reject(
        new RpcError(RPC.requestFailed, 'The client takes no questions: it has to accept text/event-stream'),
      )),
    }
  }

  async #ask(
    tell: Tell, method: string, params: object | undefined, { signal }: RequestOptions = {},
  ): Promise<unknown> {
    const id = `hermes-${++this.#asked}`
    const onAbort = (): void =>
      this.#questions.get(id)?.reject(new RpcError(RPC.requestCancelled, `${method} was cancelled`))
    try {
      return await new Promise((resolve, reject) => {
        this.#questions.set(id, { resolve, reject })
        if (signal?.aborted) return onAbort()
        signal?.addEventListener('abort', onAbort, { once: true })
        void tell({ jsonrpc: '2.0', id, method, params })
      })
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.#questions.delete(id)
    }
  }
}

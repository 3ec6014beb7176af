import { randomBytes } from 'node:crypto'
import type { InputRequest, ServerContext } from '@modelcontextprotocol/server'
import { HermesError, untilAborted } from '../../0-contracts/src/index.js'
import { clip, escapeControls } from '../../0-text/src/index.js'

/** How long a question waits for its answer, in milliseconds. */
const PATIENCE_MS = 600_000

/** Asks the client for something, usually its user. @returns the unchecked answer */
export type Ask = (request: InputRequest) => Promise<unknown>

interface Open {
  talk: Talk<unknown>
  call: string
  timer: NodeJS.Timeout
}

/**
 * Calls that wait for an answer of the client. In the newest protocol a server asks by ending the request with a
 * question, and the client repeats the request with the answer; the run is suspended meanwhile. It is identified by a
 * random state, valid for one answer, and only for the same call.
 */
export class Talks {
  readonly #open = new Map<string, Open>()

  /** @param call name and arguments of the call: an answer is accepted for the same call only */
  wait(talk: Talk<unknown>, call: string): string {
    const state = randomBytes(32).toString('base64url')
    const timer = setTimeout(() => {
      this.#open.delete(state)
      talk.cancel()
    }, PATIENCE_MS).unref()
    this.#open.set(state, { talk, call, timer })
    return state
  }

  take(state: string, call: string): Talk<unknown> | undefined {
    const open = this.#open.get(state)
    if (open?.call !== call) return undefined
    clearTimeout(open.timer)
    this.#open.delete(state)
    return open.talk
  }

  /** Cancels all, since their connection has ended. */
  close(): void {
    for (const { talk, timer } of this.#open.values()) {
      clearTimeout(timer)
      talk.cancel()
    }
    this.#open.clear()
  }
}

/** One call that may take several requests. */
export class Talk<Result> {
  /** Progress callback of the request now waiting for an answer. */
  progress: Progress = () => undefined
  readonly #controller = new AbortController()
  #question: { request: InputRequest; answer: (answer: unknown) => void } | undefined
  #asked: () => void = () => undefined
  #result: Promise<Result> | undefined

  /** Aborted when the call is cancelled, during whichever of its requests. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  start(run: (ask: Ask) => Promise<Result>): void {
    this.#result = run((request) => this.#ask(request))
    // The caller of the next turn gets the error.
    this.#result.catch(() => undefined)
  }

  answer(answer: unknown): void {
    if (answer === undefined) return
    const question = this.#question
    this.#question = undefined
    question?.answer(answer)
  }

  cancel(): void {
    this.#controller.abort()
  }

  /** Waits until the call ends, or asks a question. @param signal of the current request */
  async next(signal: AbortSignal): Promise<{ result: Result } | { question: InputRequest }> {
    return untilAborted(signal, () => this.cancel(), async () => {
      const asked = new Promise<void>((resolve) => {
        this.#asked = resolve
      })
      if (this.#question) return { question: this.#question.request }
      const result = await Promise.race([
        asked, (this.#result ?? Promise.reject(new Error('not started'))).then((value) => ({ value })),
      ])
      if (result) return { result: result.value }
      if (this.#question) return { question: (this.#question as { request: InputRequest }).request }
      throw new HermesError('INTERNAL', 'A question was lost')
    })
  }

  #ask(request: InputRequest): Promise<unknown> {
    const { signal } = this
    return new Promise((resolve, reject) => {
      const cancelled = (): void => reject(new HermesError('CANCELLED', 'Cancelled while the user was asked'))
      if (signal.aborted) {
        cancelled()
        return
      }
      signal.addEventListener('abort', cancelled, { once: true })
      this.#question = {
        request,
        answer: (answer) => {
          signal.removeEventListener('abort', cancelled)
          resolve(answer)
        },
      }
      this.#asked()
    })
  }
}

export type Progress = (done: number, total: number, message: string) => void

/** Tells the client how far a call is, where it wants to know. */
export function progressOf({ mcpReq }: ServerContext): Progress {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return () => undefined
  return (progress, total, message) => {
    const params = { progressToken, progress, total, message: escapeControls(clip(message, 200)) }
    // A client that has gone hears nothing more.
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}

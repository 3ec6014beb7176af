import type { ReviewMessage } from '../review-protocol.js'
import { applyPatch, type ReviewState, type Update } from '../review-state.js'

/** `refused`: the token is not that of this review. */
export type Link = 'connecting' | 'live' | 'lost' | 'refused'

export interface Told {
  state?: ReviewState
  link: Link
}

export interface Reply {
  isDone: boolean
  value: Record<string, unknown>
  /** Why it was not done. */
  reason?: string
}

const RETRY_MS = 400
/** In the storage of this tab, so that the page can be loaded again. */
const KEPT = 'hermes-review-token'

/** The token of the address, which then no longer shows it. */
export function takeToken(): string {
  const given = location.hash.slice(1)
  if (given === '') return sessionStorage.getItem(KEPT) ?? ''
  sessionStorage.setItem(KEPT, given)
  history.replaceState(null, '', location.pathname)
  return given
}

/** What leads to hermes: its state as it changes, and messages to it. */
export class Connection {
  #state: ReviewState | undefined

  constructor(private readonly token: string, private readonly tell: (told: Told) => void) {}

  /** Listens until the review has ended; where the connection is lost, it is made again. */
  async listen(): Promise<void> {
    for (;;) {
      let link: Link = 'lost'
      try {
        const response = await fetch('/api/events', {
          headers: { authorization: `Bearer ${this.token}` }, cache: 'no-store',
        })
        if (response.status === 401) link = 'refused'
        else if (response.ok && response.body) await this.#read(response.body)
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof DOMException)) throw error
      }
      if (this.#state?.phase === 'ended') return
      this.#say(link)
      if (link === 'refused') return
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }

  async send(message: ReviewMessage): Promise<Reply> {
    try {
      const response = await fetch('/api/messages', {
        method: 'POST', headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(message),
      })
      const value = await response.json() as Record<string, unknown>
      const { error } = value as { error?: { message: string } }
      return { isDone: response.ok, value, ...(error && { reason: error.message }) }
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError)) throw error
      return { isDone: false, value: {}, reason: 'hermes did not answer' }
    }
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#take(JSON.parse(line) as Update)
      if (lines.length > 0) this.#say('live')
    }
  }

  #take(update: Update): void {
    if (update.type === 'state') this.#state = update.state
    else if (update.type === 'patch' && this.#state) this.#state = applyPatch(this.#state, update.patch)
  }

  #say(link: Link): void {
    this.tell({ link, ...(this.#state && { state: this.#state }) })
  }
}

import { randomBytes } from 'node:crypto'
import { ClientSession } from './client-session.js'
import type { Shared } from './ready-session.js'
import { HttpSession } from './http-session.js'

/** How long a session lives without a request, in milliseconds. */
const IDLE_MS = 30 * 60_000
const MOST_SESSIONS = 1000

/** The sessions of all HTTP clients, by the secret id that `initialize` returns. */
export class HttpSessions {
  readonly #byId = new Map<string, HttpSession>()
  readonly #timer: NodeJS.Timeout

  constructor(private readonly shared: Shared) {
    this.#timer = setInterval(() => this.#removeIdle(), 60_000).unref()
  }

  get size(): number {
    return this.#byId.size
  }

  find(id: string): HttpSession | undefined {
    return this.#byId.get(id)
  }

  /** @returns `undefined` where there are too many */
  open(): HttpSession | undefined {
    if (this.#byId.size >= MOST_SESSIONS) return undefined
    const id = randomBytes(16).toString('hex')
    const session: HttpSession = new HttpSession(id, new ClientSession(this.shared, () => void this.remove(session)))
    this.#byId.set(id, session)
    return session
  }

  async remove(session: HttpSession): Promise<void> {
    this.#byId.delete(session.id)
    await session.end()
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#byId.values()].map((session) => this.remove(session)))
  }

  #removeIdle(): void {
    for (const session of this.#byId.values()) if (session.idleMs > IDLE_MS) void this.remove(session)
  }
}

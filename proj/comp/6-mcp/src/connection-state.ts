import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { AnyVerb, ExecutionResult } from '../../0-contracts/src/index.js'
import { Hermes, usualTools, type ExecutorOptions, type RunQueue } from '../../5-executor/src/index.js'
import { NO_USER } from './client-user.js'
import { Talks } from './talks.js'

/** Most sessions of one connection: each set of roots has its own. */
const MOST_SESSIONS = 8
/** How long an answer takes to be sent, in milliseconds. */
const SENDING_MS = 20
/** Reports that are kept to be read as resources. */
const MOST_REPORTS = 20

/** What came of a run, which the client may read as a resource. */
export interface KeptReport {
  /** Counted from 1 in each connection. */
  number: number
  /** End of its address; cannot be guessed where clients share a connection. */
  id: string
  /** Roots that the client had named. */
  within: readonly string[] | undefined
  result: ExecutionResult
}

/**
 * All that is kept for one connection between its requests: sessions of hermes, by the roots of the client, since
 * consents and context files belong to them; reports of runs; what is asked of the user at the moment. Over HTTP each
 * session of the protocol until 2025 has one, and all requests of the newest protocol share one.
 */
export class ConnectionState {
  /** Calls that wait for an answer of the user. */
  readonly talks = new Talks()
  readonly root: string
  /** Newest last. */
  readonly reports: KeptReport[] = []
  /** Called where the lists of resources may have changed. */
  readonly resourceListeners = new Set<() => void>()
  /** Aborted when the connection ends: nobody answers any more. */
  readonly closing = new AbortController()
  /** Calls not answered yet: until then it is not closed. */
  readonly calls = new Set<Promise<unknown>>()
  readonly #options: ExecutorOptions
  readonly #sessions = new Map<string, Hermes>()
  #current: Hermes | undefined
  #reported = 0

  /** @param isShared whether several clients use it @throws HermesError `INVALID_OPTION` for wrong options */
  constructor(
    options: ExecutorOptions & { root: string }, readonly queue: RunQueue, readonly isShared = false,
  ) {
    this.#options = { ...options, ui: NO_USER }
    this.root = options.root
    // Every waiting call adds a listener.
    setMaxListeners(0, this.closing.signal)
    this.session(undefined)
  }

  /** The session used last. */
  get current(): Hermes {
    return this.#current ?? this.session(undefined)
  }

  /** The session for a client's directories. @param within these directories; `undefined` if it names none */
  session(within: readonly string[] | undefined, dryRun = false): Hermes {
    const key = JSON.stringify([dryRun, within && [...within].sort()])
    const known = this.#sessions.get(key)
    const session = known
      ?? new Hermes({ ...this.#options, hooks: false, ...(within && { within }), ...(dryRun && { dryRun }) })
    this.#sessions.delete(key)
    this.#sessions.set(key, session)
    if (!dryRun) this.#current = session
    const [oldest] = this.#sessions
    if (oldest && this.#sessions.size > MOST_SESSIONS) {
      this.#sessions.delete(oldest[0])
      void oldest[1][Symbol.asyncDispose]()
    }
    return session
  }

  /** What models are offered as tools; the policy is read for it. Other verbs can be called all the same. */
  async offeredVerbs(): Promise<readonly AnyVerb[]> {
    const callable = await this.current.verbs()
    return this.#options.toolsets === undefined ? usualTools(callable) : callable
  }

  /** Keeps the result of a run, to be read as a resource. */
  keepReport(result: ExecutionResult, within: readonly string[] | undefined): KeptReport {
    const number = ++this.#reported
    const report = {
      number, id: this.isShared ? randomBytes(16).toString('base64url') : String(number), within, result,
    }
    this.reports.push(report)
    if (this.reports.length > MOST_REPORTS) this.reports.shift()
    return report
  }

  resourcesChanged(): void {
    for (const listener of this.resourceListeners) listener()
  }

  /** Cancels running calls, and waits until they are recorded and their answers could be sent. */
  async close(): Promise<void> {
    this.closing.abort()
    this.talks.close()
    await Promise.all([...this.#sessions.values()].map((session) => session[Symbol.asyncDispose]()))
    await Promise.allSettled(this.calls)
    // Answers are on their way a moment later.
    await setTimeout(SENDING_MS)
  }
}

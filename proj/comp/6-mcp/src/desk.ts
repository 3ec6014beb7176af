import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { AnyVerb, ExecutionResult } from '../../0-contracts/src/index.js'
import { Hermes, usualTools, type ExecutorOptions, type RunQueue } from '../../5-executor/src/index.js'
import { NO_USER } from './client-user.js'
import { Talks } from './talks.js'

/** Most sessions that one connection keeps: each set of roots has its own. */
const MOST_SESSIONS = 8
/** How long an answer takes to be sent, in milliseconds. */
const ANSWER_MS = 20
/** Reports that are kept to be read as resources. */
const MOST_REPORTS = 20

export interface KeptReport {
  number: number
  /** Ends its address: nobody guesses it where clients share a connection. */
  id: string
  /** What the client named as its roots. */
  within: readonly string[] | undefined
  result: ExecutionResult
}

/**
 * What one connection works with: sessions of hermes, by the roots of the client, since consents and context files
 * belong to them; and what is asked of the user at the moment.
 */
export class Desk {
  readonly talks = new Talks()
  readonly root: string
  readonly queue: RunQueue
  readonly isShared: boolean
  /** The newest last. */
  readonly reports: KeptReport[] = []
  readonly listeners = new Set<() => void>()
  /** Aborted when the connection ends: nobody answers any more. */
  readonly closing = new AbortController()
  /** Calls that have not been answered yet. */
  readonly calls = new Set<Promise<unknown>>()
  readonly #options: ExecutorOptions
  readonly #sessions = new Map<string, Hermes>()
  #current: Hermes | undefined
  #reported = 0

  /** @param isShared several clients use it @throws HermesError `INVALID_OPTION` for wrong options */
  constructor(options: ExecutorOptions & { root: string }, queue: RunQueue, isShared = false) {
    this.isShared = isShared
    this.#options = { ...options, ui: NO_USER }
    this.root = options.root
    this.queue = queue
    // Every call that waits for something listens.
    setMaxListeners(0, this.closing.signal)
    this.session(undefined)
  }

  /** The session that was used last. */
  get current(): Hermes {
    return this.#current ?? this.session(undefined)
  }

  /** @param within the directories of the client; `undefined` where it names none */
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

  /** What models are offered as tools; the policy is read for it. What else there is can be called all the same. */
  async offered(): Promise<readonly AnyVerb[]> {
    const callable = await this.current.verbs()
    return this.#options.toolsets === undefined ? usualTools(callable) : callable
  }

  /** Keeps the result of a run, to be read as a report. */
  keep(result: ExecutionResult, within: readonly string[] | undefined): KeptReport {
    const number = ++this.#reported
    const report = {
      number, id: this.isShared ? randomBytes(16).toString('base64url') : String(number), within, result,
    }
    this.reports.push(report)
    if (this.reports.length > MOST_REPORTS) this.reports.shift()
    return report
  }

  /** Tells that the lists of resources may have changed. */
  changed(): void {
    for (const listener of this.listeners) listener()
  }

  /** Until it is answered a call keeps the connection. */
  async during<T>(call: Promise<T>): Promise<T> {
    this.calls.add(call)
    try {
      return await call
    } finally {
      this.calls.delete(call)
    }
  }

  /** Ends what still runs, and waits until it has been put on record, and the client could be told. */
  async close(): Promise<void> {
    this.closing.abort()
    this.talks.close()
    await Promise.all([...this.#sessions.values()].map((session) => session[Symbol.asyncDispose]()))
    await Promise.allSettled(this.calls)
    // Answers are on their way a moment later.
    await setTimeout(ANSWER_MS)
  }
}

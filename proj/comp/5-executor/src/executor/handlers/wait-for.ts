import { HermesError, type AnyVerb, type VerbContext } from '../../../../0-contracts/src/index.js'
import { joinSignals } from '../join-signals.js'
import type { WhileAsking } from './closing-context.js'

/** How long a handler has for an orderly end, in milliseconds. */
const GRACE_MS = 500
/** Verbs that limit the time of what they do themselves tell more of it: theirs comes first. */
const AFTER_OWN_LIMIT_MS = 250
/** The same of those that start programs: a sandbox may take its time to start and to end. */
const FOR_PROGRAMS_MS = 30_000

export interface Waiting {
  /** For the handler: aborted by the signal of its context, and at the end of its time. */
  readonly signal: AbortSignal
  /** Time of the user's does not count. */
  readonly whileAsking: WhileAsking
  /**
   * @param giveUp called where the handler is not waited for any longer
   * @throws what the promise rejects with; HermesError `TIMEOUT`, `CANCELLED`
   */
  until(promise: Promise<unknown>, giveUp: (error: HermesError) => void): Promise<unknown>
  release(): void
}

/** The clock of one call: its limit is the longest time that a call may have (`limits.maxCommandTimeoutMs`). */
export function waitFor(verb: AnyVerb, { limits, signal: given }: VerbContext): Waiting {
  const endsPrograms = verb.asksWithCommand === true || verb.type === 'git'
  const graceMs = endsPrograms ? FOR_PROGRAMS_MS : GRACE_MS
  const limitMs = limits.maxCommandTimeoutMs
  const clock = new Clock(limitMs + (endsPrograms ? FOR_PROGRAMS_MS : AFTER_OWN_LIMIT_MS))
  const end = new AbortController()
  let joined: ReturnType<typeof joinSignals> | undefined
  let grace: NodeJS.Timeout | undefined
  let isTooLong = false
  let stopListening = (): void => undefined

  return {
    // Most handlers are done at once, and never look at it.
    get signal() {
      joined ??= joinSignals([given, end.signal])
      return joined.signal
    },
    whileAsking: (asks) => clock.whilePaused(asks),
    async until(promise, giveUp) {
      const over = new Promise<never>((_, reject) => {
        const endSoon = (error: HermesError): void => {
          clearTimeout(grace)
          grace = setTimeout(() => {
            giveUp(error)
            reject(error)
          }, graceMs)
        }
        clock.start(() => {
          isTooLong = true
          end.abort(new DOMException('The time of the call is over', 'TimeoutError'))
          endSoon(tooLong(verb, limitMs))
        })
        const cancel = (): void => {
          clock.stop()
          if (!isTooLong) endSoon(cancelled(verb))
        }
        if (given.aborted) cancel()
        else {
          given.addEventListener('abort', cancel, { once: true })
          stopListening = () => given.removeEventListener('abort', cancel)
        }
      })
      try {
        return await Promise.race([promise, over])
      } catch (error) {
        if (isTooLong && !(error instanceof HermesError && error.code === 'TIMEOUT')) {
          throw tooLong(verb, limitMs, error)
        }
        // What `fetch` and the like throw when their signal is aborted.
        if (given.aborted && isAbort(error, given)) throw cancelled(verb)
        throw error
      }
    },
    release() {
      clock.stop()
      clearTimeout(grace)
      stopListening()
      joined?.release()
    },
  }
}

function isAbort(error: unknown, { reason }: AbortSignal): boolean {
  return error === reason || (error instanceof Error && error.name === 'AbortError')
}

/** @param ended what it failed with once it was told to end */
function tooLong({ name }: AnyVerb, limitMs: number, ended?: unknown): HermesError {
  const data = ended instanceof HermesError ? ended.data : undefined
  return new HermesError('TIMEOUT', `${name}: it took longer than ${limitMs / 1000} s, its time limit (TIMEOUT)`, {
    hint: 'Do less in one call; only the user can raise the limit (--timeout, timeoutMs).', data,
  })
}

function cancelled({ name }: AnyVerb): HermesError {
  return new HermesError('CANCELLED', `${name}: cancelled (CANCELLED)`, {
    hint: 'The run was cancelled from outside. Send the block again to run it.',
  })
}

/** Longest delay that a timer of Node takes, in milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A timer that stands still while the user is asked. */
class Clock {
  #leftMs: number
  #timer: NodeJS.Timeout | undefined
  #since = 0
  #pauses = 0
  #ring: (() => void) | undefined

  constructor(ms: number) {
    this.#leftMs = ms
  }

  start(ring: () => void): void {
    this.#ring = ring
    if (this.#pauses === 0) this.#run()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#ring = undefined
  }

  async whilePaused<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pauses++ === 0 && this.#timer) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#leftMs -= performance.now() - this.#since
    }
    try {
      return await work()
    } finally {
      if (--this.#pauses === 0) this.#run()
    }
  }

  #run(): void {
    const ring = this.#ring
    if (!ring) return
    this.#since = performance.now()
    this.#timer = setTimeout(ring, Math.min(LONGEST_TIMER_MS, Math.max(0, this.#leftMs)))
  }
}

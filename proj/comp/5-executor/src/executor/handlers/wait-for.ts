import { HermesError, settingName, type AnyVerb, type VerbContext } from '../../../../0-contracts/src/index.js'
import { PausedClock } from '../../../../2-processes/src/index.js'
import type { WhileAsking } from './closing-context.js'

/** Time a handler has to end after it was told to, in milliseconds. */
const GRACE_MS = 500
/** Extra time for verbs with a time limit of their own: their own error says more, so it should come first. */
const AFTER_OWN_LIMIT_MS = 250
/** The same for verbs that start programs: a sandbox may be slow to start and to end. */
const FOR_PROGRAMS_MS = 30_000

/**
 * Watches the time of one call; its limit is the longest that any call may take (`limits.maxCommandTimeoutMs`). Creates
 * timers and signals only when needed: most handlers finish before the event loop turns.
 */
export class CallWait {
  readonly #given: AbortSignal
  readonly #limitMs: number
  readonly #graceMs: number
  readonly #clock: PausedClock
  #end: AbortController | undefined
  #isListening = false
  #isTooLong = false
  #isReleased = false
  #grace: NodeJS.Timeout | undefined
  /** Called with the reason why the handler must end; `undefined` before the handler is awaited. */
  #endSoon: ((error: HermesError) => void) | undefined

  constructor(private readonly verb: AnyVerb, { limits, signal }: VerbContext) {
    const endsPrograms = verb.asksWithCommand === true || verb.type === 'git'
    this.#given = signal
    this.#limitMs = limits.maxCommandTimeoutMs
    this.#graceMs = endsPrograms ? FOR_PROGRAMS_MS : GRACE_MS
    this.#clock = new PausedClock(this.#limitMs + (endsPrograms ? FOR_PROGRAMS_MS : AFTER_OWN_LIMIT_MS))
  }

  /** Given to the handler: aborted when the run's signal is, and when the time is up. */
  get signal(): AbortSignal {
    if (this.#end) return this.#end.signal
    this.#end = new AbortController()
    if (this.#given.aborted) this.#end.abort(this.#given.reason)
    else if (this.#isTooLong) this.#end.abort(timeIsOver())
    else this.#listen()
    return this.#end.signal
  }

  /** Pauses the time limit while the user is asked. */
  readonly whileAsking: WhileAsking = (asks) => this.#clock.whilePaused(asks)

  /**
   * @param giveUp called when the handler is abandoned
   * @throws what the promise rejects with; HermesError `TIMEOUT`, `CANCELLED`
   */
  async until(promise: Promise<unknown>, giveUp: (error: HermesError) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      promise.then(resolve, (error: unknown) => reject(this.#reasonOf(error)))
      // This runs after everything that is ready to continue: a call that waits for nothing outside has ended by then.
      process.nextTick(() => this.#start((error) => {
        giveUp(error)
        reject(error)
      }))
    })
  }

  release(): void {
    this.#isReleased = true
    this.#clock.stop()
    clearTimeout(this.#grace)
    if (this.#isListening) this.#given.removeEventListener('abort', this.#cancel)
    this.#isListening = false
  }

  #start(giveUp: (error: HermesError) => void): void {
    if (this.#isReleased) return
    this.#endSoon = (error) => {
      clearTimeout(this.#grace)
      this.#grace = setTimeout(() => giveUp(error), this.#graceMs)
    }
    if (this.#given.aborted) {
      this.#cancel()
      return
    }
    this.#clock.start(() => {
      this.#isTooLong = true
      this.#end?.abort(timeIsOver())
      this.#endSoon?.(tooLong(this.verb, this.#limitMs))
    })
    this.#listen()
  }

  #listen(): void {
    if (this.#isListening || this.#isReleased) return
    this.#isListening = true
    this.#given.addEventListener('abort', this.#cancel, { once: true })
  }

  readonly #cancel = (): void => {
    this.#clock.stop()
    this.#end?.abort(this.#given.reason)
    if (!this.#isTooLong) this.#endSoon?.(cancelled(this.verb))
  }

  /** @param error what the handler failed with */
  #reasonOf(error: unknown): unknown {
    if (this.#isTooLong && !(error instanceof HermesError && error.code === 'TIMEOUT')) {
      return tooLong(this.verb, this.#limitMs, error)
    }
    // What `fetch` and similar functions throw when their signal is aborted.
    return this.#given.aborted && isAbort(error, this.#given) ? cancelled(this.verb) : error
  }
}

function timeIsOver(): DOMException {
  return new DOMException('The time of the call is over', 'TimeoutError')
}

function isAbort(error: unknown, { reason }: AbortSignal): boolean {
  return error === reason || (error instanceof Error && error.name === 'AbortError')
}

/** @param ended what the handler failed with after it was told to end */
function tooLong({ name }: AnyVerb, limitMs: number, ended?: unknown): HermesError {
  const data = ended instanceof HermesError ? ended.data : undefined
  return new HermesError('TIMEOUT', `${name}: it took longer than ${limitMs / 1000} s, its time limit (TIMEOUT)`, {
    hint: `Do less in one call; only the user can raise the limit (${settingName('timeoutMs')}).`, data,
  })
}

function cancelled({ name }: AnyVerb): HermesError {
  return new HermesError('CANCELLED', `${name}: cancelled (CANCELLED)`, {
    hint: 'The run was cancelled from outside. Send the block again to run it.',
  })
}

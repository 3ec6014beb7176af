import { PausedClock } from '../../../2-processes/src/index.js'

/** Silence after which a command counts as done, for extensions that do not announce the end; in milliseconds. */
export const QUIET_MS = 5000

export interface CommandClockOptions {
  /** Time limit for the extension itself, excluding dialogues, in milliseconds; `undefined`: none. */
  limitMs: number | undefined
  /** Silence, with no open request, after which it is done, in milliseconds; `undefined`: it announces its end. */
  quietMs: number | undefined
  onQuiet: () => void
  onLimit: () => void
}

/** The clock of one command of an extension: runs while the extension works, stops while the user is asked. */
export class CommandClock {
  readonly #limit: PausedClock | undefined
  #quiet: NodeJS.Timeout | undefined
  /** Number of unanswered requests, dialogues included. */
  open = 0
  #isStopped = false

  constructor(private readonly options: CommandClockOptions) {
    this.#limit = options.limitMs === undefined ? undefined : new PausedClock(options.limitMs)
    this.#limit?.start(options.onLimit)
    this.#awaitQuiet()
  }

  /**
   * A request begins.
   *
   * @returns function to call when it is answered
   */
  began(isDialogue: boolean): () => void {
    clearTimeout(this.#quiet)
    this.open++
    const resume = isDialogue ? this.#limit?.pause() : undefined
    return () => {
      this.open--
      resume?.()
      this.#awaitQuiet()
    }
  }

  stop(): void {
    this.#limit?.stop()
    clearTimeout(this.#quiet)
    this.#isStopped = true
  }

  #awaitQuiet(): void {
    if (this.open > 0 || this.options.quietMs === undefined || this.#isStopped) return
    this.#quiet = setTimeout(this.options.onQuiet, this.options.quietMs)
  }
}

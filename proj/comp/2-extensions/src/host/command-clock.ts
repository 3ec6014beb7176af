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
  #leftMs: number
  #resumedAt = performance.now()
  #limit: NodeJS.Timeout | undefined
  #quiet: NodeJS.Timeout | undefined
  /** Number of unanswered requests, dialogues included. */
  open = 0
  #dialogues = 0
  #isStopped = false

  constructor(private readonly options: CommandClockOptions) {
    this.#leftMs = options.limitMs ?? Infinity
    this.#resume()
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
    if (isDialogue && this.#dialogues++ === 0) this.#pause()
    return () => {
      this.open--
      if (isDialogue && --this.#dialogues === 0) this.#resume()
      this.#awaitQuiet()
    }
  }

  stop(): void {
    clearTimeout(this.#limit)
    clearTimeout(this.#quiet)
    this.#isStopped = true
  }

  #awaitQuiet(): void {
    if (this.open > 0 || this.options.quietMs === undefined || this.#isStopped) return
    this.#quiet = setTimeout(this.options.onQuiet, this.options.quietMs)
  }

  #resume(): void {
    this.#resumedAt = performance.now()
    if (this.#leftMs !== Infinity && !this.#isStopped) this.#limit = setTimeout(this.options.onLimit, this.#leftMs)
  }

  #pause(): void {
    clearTimeout(this.#limit)
    this.#leftMs = Math.max(this.#leftMs - (performance.now() - this.#resumedAt), 0)
  }
}

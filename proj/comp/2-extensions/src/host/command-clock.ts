/** How long an extension that does not announce the end of its commands has to be quiet, in milliseconds. */
export const QUIET_MS = 5000

export interface CommandClockOptions {
  /** Its own time, without that of dialogues, in milliseconds; `undefined`: no limit. */
  limitMs: number | undefined
  /** It is done once nothing of it is open and so long nothing has come, in milliseconds; `undefined`: it says so. */
  quietMs: number | undefined
  onQuiet: () => void
  onLimit: () => void
}

/** The time of one command: it runs while the extension works, and stands while the user is asked. */
export class CommandClock {
  readonly #options: CommandClockOptions
  #leftMs: number
  #since = performance.now()
  #limit: NodeJS.Timeout | undefined
  #quiet: NodeJS.Timeout | undefined
  #open = 0
  #dialogues = 0
  #isStopped = false

  constructor(options: CommandClockOptions) {
    this.#options = options
    this.#leftMs = options.limitMs ?? Infinity
    this.#run()
    this.#listen()
  }

  /** Requests that are not answered. */
  get open(): number {
    return this.#open
  }

  /** A request begins. @returns to be called when it is answered */
  began(isDialogue: boolean): () => void {
    clearTimeout(this.#quiet)
    this.#open++
    if (isDialogue && this.#dialogues++ === 0) this.#stand()
    return () => {
      this.#open--
      if (isDialogue && --this.#dialogues === 0) this.#run()
      this.#listen()
    }
  }

  stop(): void {
    clearTimeout(this.#limit)
    clearTimeout(this.#quiet)
    this.#isStopped = true
  }

  #listen(): void {
    if (this.#open > 0 || this.#options.quietMs === undefined || this.#isStopped) return
    this.#quiet = setTimeout(this.#options.onQuiet, this.#options.quietMs)
  }

  #run(): void {
    this.#since = performance.now()
    if (this.#leftMs !== Infinity && !this.#isStopped) this.#limit = setTimeout(this.#options.onLimit, this.#leftMs)
  }

  #stand(): void {
    clearTimeout(this.#limit)
    this.#leftMs = Math.max(this.#leftMs - (performance.now() - this.#since), 0)
  }
}

/** How long an extension that does not announce the end of its commands has to be quiet, in milliseconds. */
export const QUIET_MS = 1000

export interface CommandClockOptions {
  /** Its own time, without that of dialogues, in milliseconds; `undefined`: no limit. */
  limitMs: number | undefined
  /** It says when a command is done; otherwise that is when it has asked for something and then is quiet. */
  isAnnounced: boolean
  /** Whether it is done when it is quiet after any request, or only once one has changed the message. */
  quietAfter: 'requests' | 'changes'
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
  #hasChanged = false
  #isStopped = false

  constructor(options: CommandClockOptions) {
    this.#options = options
    this.#leftMs = options.limitMs ?? Infinity
    this.#run()
  }

  /** Requests that are not answered. */
  get open(): number {
    return this.#open
  }

  /** A request begins. @returns to be called when it is answered, with whether it changed the message as it was to */
  began(isDialogue: boolean): (changed: boolean) => void {
    clearTimeout(this.#quiet)
    this.#open++
    if (isDialogue && this.#dialogues++ === 0) this.#stand()
    return (changed) => {
      this.#open--
      this.#hasChanged ||= changed
      if (isDialogue && --this.#dialogues === 0) this.#run()
      if (this.#open > 0 || this.#options.isAnnounced || this.#isStopped) return
      if (this.#options.quietAfter === 'changes' && !this.#hasChanged) return
      this.#quiet = setTimeout(this.#options.onQuiet, QUIET_MS)
    }
  }

  stop(): void {
    clearTimeout(this.#limit)
    clearTimeout(this.#quiet)
    this.#isStopped = true
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

/** How long what a session has read is kept when nobody asks for it. */
const KEPT_MS = 10 * 60_000

/** Forgets what is kept between calls once nobody has asked for it for a while; no process waits for that. */
export class IdleTimer {
  #timer: NodeJS.Timeout | undefined

  constructor(private readonly forget: () => void) {}

  /** It is in use, or forgotten already. */
  stop(): void {
    clearTimeout(this.#timer)
  }

  /** Its use has ended. */
  start(): void {
    this.stop()
    this.#timer = setTimeout(this.forget, KEPT_MS).unref()
  }
}

import { LONGEST_TIMER_MS } from './first-stop.js'

/** A timer that is paused while the user is asked. */
export class PausedClock {
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
    const resume = this.pause()
    try {
      return await work()
    } finally {
      resume()
    }
  }

  /** @returns what to call once at its end; it runs on at the end of the last pause */
  pause(): () => void {
    if (this.#pauses++ === 0 && this.#timer) {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#leftMs -= performance.now() - this.#since
    }
    return () => {
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

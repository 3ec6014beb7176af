import { clip } from '../../../0-text/src/index.js'
import type { AgentEvent } from '../../../6-agent/src/index.js'

/** A message that shows a turn's progress, and is removed when the answer comes. */
export interface ProgressMessage {
  /** Shows this text in place of the previous one. */
  show(text: string, signal: AbortSignal): Promise<void>
  clear(signal: AbortSignal): Promise<void>
}

/** Limits for one turn: losing a progress message loses no answer. */
const MOST_SHOWN = 100
const TIME_MS = 10_000

/** Reports the progress of a long turn, at most once in `everyMs`, and only changes. */
export class TurnProgress {
  readonly #begun = performance.now()
  readonly #timer: NodeJS.Timeout
  #calls = 0
  #tool = ''
  #told = ''
  #shown = 0
  #sending: Promise<void> | undefined

  constructor(
    private readonly message: ProgressMessage, everyMs: number, private readonly onError: (error: unknown) => void,
  ) {
    this.#timer = setInterval(() => this.#show(), everyMs)
    this.#timer.unref()
  }

  see(event: AgentEvent): void {
    if (event.type === 'call_start') [this.#calls, this.#tool] = [this.#calls + 1, clip(event.tool, 80)]
    else if (event.type === 'call_end') this.#tool = ''
  }

  /** Removes the progress message; the answer follows. */
  async end(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sending
    if (this.#shown > 0) await this.message.clear(AbortSignal.timeout(TIME_MS)).catch(this.onError)
  }

  #show(): void {
    const state = `${this.#calls} ${this.#tool}`
    if (this.#sending !== undefined || state === this.#told || this.#shown >= MOST_SHOWN) return
    this.#told = state
    this.#shown++
    const seconds = Math.round((performance.now() - this.#begun) / 1000)
    const calls = this.#calls === 0 ? '' : `, ${this.#calls} ${this.#calls === 1 ? 'call' : 'calls'}`
    const now = this.#tool === '' ? '' : `, now ${this.#tool}`
    this.#sending = this.message.show(`Working: ${seconds} s${calls}${now} …`, AbortSignal.timeout(TIME_MS))
      .catch((error: unknown) => {
        // The next one would not get through either.
        this.#shown = MOST_SHOWN
        this.onError(error)
      }).finally(() => { this.#sending = undefined })
  }
}

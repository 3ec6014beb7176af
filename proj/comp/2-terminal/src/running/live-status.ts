import { createPalette, duration } from '../../../1-reports/src/index.js'
import { cutToWidth, LiveScreen, type ScreenOutput } from '../line-editor/index.js'
import { RunningCalls } from './running-calls.js'
import { SPIN_MS, statusRow } from './status-rows.js'
import { printable } from '../../../0-text/src/index.js'

/** Time after which a terminal without escape sequences is told about a running call, and between repetitions. */
const PLAIN_FIRST_MS = 2000
const PLAIN_AGAIN_MS = 30_000

export interface StatusScreen {
  output: ScreenOutput
  colour: boolean
  /** The terminal cannot redraw rows: long calls get a line each time. */
  isPlain: boolean
}

/** Shows below all printed text what is running, for how long, and the last line of its output. */
export class LiveStatus {
  readonly calls = new RunningCalls(1)
  readonly #screen: LiveScreen
  #timer: NodeJS.Timeout | undefined
  #frame = 0
  /** Prefix of titles, such as `3/10`. */
  count = ''
  /** Whether the running call was told to stop. */
  stopping: (() => boolean) | undefined
  /** Number of tasks that currently use the terminal instead. */
  #asides = 0
  #isDrawn = false
  /** When a plain terminal is told next, in milliseconds since the start of the call. */
  #nextPlain = PLAIN_FIRST_MS

  constructor(private readonly setup: StatusScreen) {
    this.#screen = new LiveScreen(setup.output)
  }

  /** A call starts. */
  start(id: string, title: string): void {
    if (this.calls.size === 0) this.#nextPlain = PLAIN_FIRST_MS
    this.calls.start(id, title)
    this.#timer ??= setInterval(() => this.#tick(), SPIN_MS).unref()
    this.#draw()
  }

  end(id: string): void {
    this.calls.end(id)
    this.#nextPlain = PLAIN_FIRST_MS
    if (this.calls.size === 0) this.stop()
  }

  /** Everything has ended. */
  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.calls.clear()
    this.hide()
  }

  /** Removes the rows until the next update, as something else prints. */
  hide(): void {
    if (this.#isDrawn) this.#screen.clear()
    this.#isDrawn = false
  }

  /** Gives the terminal to a task, such as a question, until it ends. */
  async aside<T>(task: () => Promise<T>): Promise<T> {
    this.hide()
    this.#asides++
    try {
      return await task()
    } finally {
      this.#asides--
    }
  }

  #tick(): void {
    this.#frame++
    this.#draw()
  }

  #draw(): void {
    const { title, elapsedMs } = this.calls
    if (title === undefined || elapsedMs === undefined || this.#asides > 0) return
    const what = `${this.count === '' ? '' : `${this.count}  `}${title}`
    if (this.setup.isPlain) this.#tell(what, elapsedMs)
    else this.#show(this.stopping?.() === true ? `Stopping; Ctrl-C again ends it at once: ${what}` : what, elapsedMs)
  }

  #show(what: string, elapsedMs: number): void {
    const { output: { columns }, colour } = this.setup
    const look = { palette: createPalette(colour), columns }
    this.#screen.show({
      rows: [statusRow(what, { elapsedMs, frame: this.#frame }, look), ...this.calls.rows(look)],
      cursor: { row: 0, column: 0 },
    })
    this.#isDrawn = true
  }

  #tell(what: string, elapsedMs: number): void {
    if (elapsedMs < this.#nextPlain) return
    const isFirst = this.#nextPlain === PLAIN_FIRST_MS
    this.#nextPlain = (Math.floor(elapsedMs / PLAIN_AGAIN_MS) + 1) * PLAIN_AGAIN_MS
    const { output } = this.setup
    const { lastLine = '' } = this.calls
    const last = lastLine === '' ? '' : `: ${printable(lastLine)}`
    const line = isFirst ? `… ${what}` : `… ${what} · ${duration(elapsedMs)}${last}`
    output.write(`${cutToWidth(line, output.columns - 1)}\n`)
  }
}

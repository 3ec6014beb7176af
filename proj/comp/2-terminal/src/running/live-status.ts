import { createPalette, duration } from '../../../1-reports/src/index.js'
import { cutToWidth, LiveScreen, type ScreenOutput } from '../line-editor/index.js'
import { RunningCalls } from './running-calls.js'
import { SPIN_MS, statusRow } from './status-rows.js'
import { printable } from '../../../0-text/src/index.js'

/** At a terminal that knows no escape sequences: what runs so long is told, and again each time as long. */
const PLAIN_FIRST_MS = 2000
const PLAIN_AGAIN_MS = 30_000

export interface StatusScreen {
  output: ScreenOutput
  colour: boolean
  /** Nothing can be printed over there: what runs long gets a line. */
  isPlain: boolean
}

/** Shows below all that is printed what runs, for how long, and the last line of its output. */
export class LiveStatus {
  readonly calls = new RunningCalls(1)
  readonly #setup: StatusScreen
  readonly #screen: LiveScreen
  #timer: NodeJS.Timeout | undefined
  #frame = 0
  #count = ''
  #stopping: (() => boolean) | undefined
  /** Somebody else has the terminal. */
  #asides = 0
  #isDrawn = false
  /** When a plain terminal is told again, in milliseconds of the call. */
  #nextPlain = PLAIN_FIRST_MS

  constructor(setup: StatusScreen) {
    this.#setup = setup
    this.#screen = new LiveScreen(setup.output)
  }

  /** What stands before the titles from now on, such as `3/10`. */
  set count(count: string) {
    this.#count = count
  }

  /** Whether what runs has been told to stop. */
  set stopping(isStopping: () => boolean) {
    this.#stopping = isStopping
  }

  /** A call begins. */
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

  /** Nothing runs any more. */
  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.calls.clear()
    this.hide()
  }

  /** Takes the rows away until the next look: somebody prints. */
  hide(): void {
    if (this.#isDrawn) this.#screen.clear()
    this.#isDrawn = false
  }

  /** Somebody else has the terminal until the task ends: a question. */
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
    const what = `${this.#count === '' ? '' : `${this.#count}  `}${title}`
    if (this.#setup.isPlain) this.#tell(what, elapsedMs)
    else this.#show(this.#stopping?.() === true ? `Stopping; Ctrl-C again ends it at once: ${what}` : what, elapsedMs)
  }

  #show(what: string, elapsedMs: number): void {
    const { output: { columns }, colour } = this.#setup
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
    const { output } = this.#setup
    const { lastLine = '' } = this.calls
    const last = lastLine === '' ? '' : `: ${printable(lastLine)}`
    const line = isFirst ? `… ${what}` : `… ${what} · ${duration(elapsedMs)}${last}`
    output.write(`${cutToWidth(line, output.columns - 1)}\n`)
  }
}

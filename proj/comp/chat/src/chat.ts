import type { AgentEvent } from '../../agent/src/index.js'
import { HermesError } from '../../contracts/src/index.js'
import { escapeControls } from '../../text/src/index.js'
import type { ChatSetup } from './chat-setup.js'
import { Conversation } from './conversation.js'
import { duration } from './call-view.js'
import { EventView } from './event-view.js'
import { KeyInput } from './key-input.js'
import { edit, emptyLine, insert, type Key, type Line } from './line-editor.js'
import { LiveScreen } from './live-screen.js'
import { promptRows } from './prompt-rows.js'
import { completed, slashLine } from './slash-commands.js'
import { cutToWidth, wrapText } from './text-width.js'

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const SPIN_MS = 120
/** Lines that wait, as they are shown. */
const MOST_QUEUED = 3
const INTERRUPTED = 130
/** A stop by a signal takes effect before this has passed. */
const STOPPING_MS = 50
/** Of a line that waits, before it is cut to the terminal. */
const MOST_LENGTH = 1000

/** A conversation at a terminal: a line to type in below, and all that happens above it. */
export class Chat {
  readonly #setup: ChatSetup
  readonly #screen: LiveScreen
  readonly #keys: KeyInput
  readonly #view: EventView
  readonly #conversation: Conversation
  #line: Line
  /** Lines given while something runs. */
  #queue: string[] = []
  #wake: () => void = () => undefined
  #hint = ''
  #turn: AbortController | undefined
  #exitCode: number | undefined
  #frame = 0
  /** Others that have the terminal, one after the other. */
  #aside: Promise<unknown> = Promise.resolve()
  #isAside = false

  constructor(setup: ChatSetup) {
    this.#setup = setup
    this.#screen = new LiveScreen(setup.output)
    this.#line = emptyLine(setup.history.lines)
    this.#view = new EventView({
      palette: setup.palette, roots: [setup.facts.root], showReasoning: setup.showReasoning,
    })
    this.#keys = new KeyInput(setup.input, (text) => setup.output.write(text), {
      key: (typed, key) => this.#key(typed, key),
      paste: (text) => this.#type(insert(this.#line, text)),
      end: () => this.leave(0),
    })
    this.#conversation = new Conversation(setup, {
      print: (rows) => this.#draw(rows),
      wipe: () => this.#screen.wipe(),
      propose: (text) => this.#type({ ...emptyLine(setup.history.lines), text, cursor: text.length }),
      play: (events) => this.#play(events),
      leave: () => this.leave(0),
    })
  }

  /** What runs now is cancelled by it. */
  get signal(): AbortSignal {
    return this.#turn?.signal ?? new AbortController().signal
  }

  /** Talks until the user leaves. @returns the exit code */
  async run(): Promise<number> {
    const redraw = (): void => this.#draw()
    const goOn = (): void => this.#continue()
    const spinner = setInterval(() => this.#spin(), SPIN_MS)
    this.#setup.output.on('resize', redraw)
    process.on('SIGCONT', goOn)
    this.#keys.open()
    try {
      await this.#busy((signal) => this.#conversation.begin(signal))
      while (this.#exitCode === undefined) {
        const line = this.#queue.shift()
        if (line !== undefined) await this.#busy((signal) => this.#take(line, signal))
        else {
          this.#draw()
          await new Promise<void>((resolve) => { this.#wake = resolve })
        }
      }
      return this.#exitCode
    } finally {
      clearInterval(spinner)
      this.#setup.output.off('resize', redraw)
      process.off('SIGCONT', goOn)
      this.#screen.clear()
      this.#keys.close()
      await this.#conversation.end()
    }
  }

  /** Ends what runs, and the conversation. */
  leave(exitCode: number): void {
    this.#exitCode ??= exitCode
    this.#turn?.abort()
    this.#wake()
  }

  /** Ctrl-C, however it comes: the first cancels what runs or empties the line, the second leaves. */
  interrupt(): void {
    if (this.#turn) {
      if (this.#turn.signal.aborted) {
        this.leave(INTERRUPTED)
        return
      }
      this.#queue = []
      this.#turn.abort()
      this.#tell('Stopping; Ctrl-C again leaves')
    } else if (this.#line.text !== '') this.#type(emptyLine(this.#setup.history.lines))
    else if (this.#hint !== '') this.leave(0)
    else this.#tell('Ctrl-C again leaves')
  }

  /** Somebody else has the terminal, in line mode, until the task ends: a question to the user. */
  aside<T>(task: () => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      this.#isAside = true
      this.#screen.clear()
      this.#keys.close()
      try {
        return await task()
      } finally {
        this.#isAside = false
        this.#keys.open()
        this.#draw()
      }
    }
    const done = this.#aside.then(run, run)
    this.#aside = done.catch(() => undefined)
    return done
  }

  async #busy(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const turn = new AbortController()
    this.#turn = turn
    this.#hint = ''
    this.#view.begin()
    this.#draw()
    try {
      await task(turn.signal)
    } catch (error) {
      if (!(error instanceof HermesError)) throw error
      this.#failed(error)
    } finally {
      this.#turn = undefined
      this.#hint = ''
    }
  }

  #failed({ message, hint }: HermesError): void {
    const { palette, output } = this.#setup
    const rows = (text: string): string[] =>
      text.split('\n').flatMap((line) => wrapText(escapeControls(line), output.columns - 1))
    this.#draw([
      ...rows(message).map((row) => palette.bad(row.trimEnd())),
      ...(hint === undefined ? [] : rows(hint).map((row) => row.trimEnd())), '',
    ])
  }

  async #take(line: string, signal: AbortSignal): Promise<void> {
    const command = slashLine(line)
    if (!command) return this.#conversation.say(line, signal)
    if ('command' in command) return this.#conversation.command(command.command.name, command.argument, signal)
    const meant = command.meant === undefined ? '' : `Did you mean /${command.meant}? `
    throw new HermesError('INVALID_OPTION', `Unknown command: /${command.unknown}`, {
      hint: `${meant}/help lists the commands.`,
    })
  }

  async #play(events: AsyncIterable<AgentEvent>): Promise<void> {
    const { output } = this.#setup
    for await (const event of events) {
      const rows = this.#view.event(event, output.columns)
      if (this.#isAside) await this.#aside
      this.#draw(rows)
    }
    this.#draw([''])
  }

  #key(typed: string | undefined, key: Key): void {
    if (key.ctrl === true && key.name === 'c') return this.interrupt()
    if (key.ctrl === true && key.name === 'd' && this.#line.text === '') return this.leave(0)
    if (key.ctrl === true && key.name === 'l') return this.#screen.wipe()
    if (key.ctrl === true && key.name === 'z') return this.#stop()
    this.#hint = this.#turn?.signal.aborted === true ? this.#hint : ''
    if (key.name === 'return' && key.meta !== true) return this.#submit()
    const ended = key.name === 'tab' ? completed(this.#line.text) : undefined
    this.#type(ended === undefined ? edit(this.#line, key.name === 'tab' ? undefined : typed, key)
      : { ...this.#line, text: ended, cursor: ended.length })
  }

  #submit(): void {
    const text = this.#line.text.trimEnd()
    if (text.trim() === '') return
    this.#setup.history.add(text)
    this.#queue.push(text)
    this.#line = emptyLine(this.#setup.history.lines)
    this.#draw()
    this.#wake()
  }

  #type(line: Line): void {
    this.#line = line
    this.#draw()
  }

  #tell(hint: string): void {
    this.#hint = hint
    this.#draw()
  }

  /**
   * Ctrl-Z: the shell has the terminal until it is continued. As from a terminal the whole job is stopped: its shell
   * waits for what started this, such as npx. Where no shell can continue it the system does not stop it, and it goes
   * on.
   */
  #stop(): void {
    this.#screen.clear()
    this.#keys.close()
    process.kill(0, 'SIGTSTP')
    setTimeout(() => this.#continue(), STOPPING_MS)
  }

  /** Also after a stop that nobody here asked for: the shell has set the terminal to its own mode. */
  #continue(): void {
    if (this.#exitCode !== undefined || this.#isAside) return
    this.#keys.close()
    this.#keys.open()
    this.#draw()
  }

  #spin(): void {
    if (!this.#turn) return
    this.#frame++
    this.#draw()
  }

  /** @param finished rows that stay, above all that changes */
  #draw(finished: readonly string[] = []): void {
    if (this.#isAside) return
    const { palette, output: { columns, rows } } = this.#setup
    const width = columns - 1
    const above: string[] = []
    if (this.#turn) {
      const open = this.#view.open(columns)
      const ms = this.#view.elapsedMs
      const time = ms < 1000 ? '' : ` · ${duration(Math.floor(ms / 1000) * 1000).replace('.0', '')}`
      const mark = SPINNER[this.#frame % SPINNER.length] ?? ''
      const status = cutToWidth(`${cutToWidth(this.#view.status, Math.max(8, width - 8))}${time}`, width - 2)
      above.push(...(open === undefined ? [] : [open]), `${palette.accent(mark)} ${palette.faint(status)}`)
      above.push(...this.#queue.slice(0, MOST_QUEUED)
        .map((line) => palette.faint(cutToWidth(`next: ${escapeControls(line.slice(0, MOST_LENGTH))}`, width))))
    }
    const prompt = promptRows(this.#line, columns, Math.max(1, Math.floor(rows / 2)))
    this.#screen.show({
      rows: [...above, ...prompt.rows, ...(this.#hint === '' ? [] : [palette.faint(cutToWidth(this.#hint, width))])],
      cursor: { row: above.length + prompt.cursor.row, column: prompt.cursor.column },
    }, finished)
  }
}

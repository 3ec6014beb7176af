import type { AgentEvent } from '../../../6-agent/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import {
  cutToWidth, hitRows, LineEditor, LiveScreen, PlainLines, promptRows, SPIN_MS, statusRow,
} from '../../../2-terminal/src/index.js'
import { didYouMean, escapeControls, usageError } from '../../../0-text/src/index.js'
import type { ChatSetup } from './chat-setup.js'
import { Conversation } from './chat-conversation.js'
import { EventView } from './event-view.js'
import { namedFiles } from './named-files.js'
import { completed, SLASH_COMMANDS, slashLine } from './slash-commands.js'
import { failureRows, waitingRows } from './chat-rows.js'

const INTERRUPTED = 130

/** A conversation at a terminal: an input line at the bottom, and events above it. */
export class Chat {
  readonly #screen: LiveScreen
  readonly #editor: LineEditor
  /** Used in place of screen and editor, at a terminal without escape sequences. */
  readonly #plain: PlainLines | undefined
  /** Whether the current input line is already visible at the prompt. */
  #isEchoed = false
  readonly #view: EventView
  readonly #conversation: Conversation
  /** Lines entered while something runs. */
  #queue: string[] = []
  /** Texts to pass to the model after its next calls. */
  #steering: string[] = []
  /** Whether the queue waits for the user, who stopped what was running. */
  #isHeld = false
  #wake: () => void = () => undefined
  #hint = ''
  #turn: AbortController | undefined
  #exitCode: number | undefined
  #frame = 0
  /** Tasks that use the terminal, one after another. */
  #aside: Promise<unknown> = Promise.resolve()
  #isAside = false

  constructor(private readonly setup: ChatSetup) {
    if (setup.opening !== undefined) this.#queue.push(setup.opening)
    this.#screen = new LiveScreen(setup.output)
    this.#view = new EventView({
      palette: setup.palette, roots: [setup.facts.root], showReasoning: setup.showReasoning,
      signs: setup.signs, lineDiff: setup.lineDiff, showsBegun: setup.isPlain === true,
    })
    this.#editor = new LineEditor({
      input: setup.input, write: (text) => setup.output.write(text), history: setup.history,
    }, {
      changed: () => this.#tell(this.#turn?.signal.aborted === true ? this.#hint : ''),
      enter: ({ text }) => this.#submit(text),
      interrupt: () => this.interrupt(),
      escape: () => { if (this.#turn?.signal.aborted === false) this.interrupt() },
      end: () => this.leave(0),
      wipe: () => this.#screen.wipe(),
      hide: () => this.#screen.clear(),
      complete: ({ text, cursor }) => completed(text.slice(0, cursor))
        ?? (this.#conversation.isHere ? namedFiles(text.slice(0, cursor), setup.gate) : undefined),
      offer: (hits) => this.#draw(hitRows(hits, setup.output.columns)),
    })
    if (setup.isPlain === true) this.#plain = new PlainLines({
      input: setup.input, write: (text) => setup.output.write(text), history: setup.history,
    }, {
      enter: (text, isAnswer) => {
        this.#isEchoed = isAnswer && text.trim() !== '' && this.#queue.length === 0
        this.#hint = ''
        const isTaken = this.#submit(text)
        if (this.#turn) this.#draw(this.#waiting())
        else if (!isTaken) this.#draw()
      },
      end: () => this.leave(0),
    })
    this.#conversation = new Conversation(setup, {
      print: (rows) => this.#draw(rows),
      echo: (rows) => {
        if (!this.#isEchoed) this.#draw(rows)
        this.#isEchoed = false
      },
      wipe: () => { if (!this.#plain) this.#screen.wipe() },
      propose: (text) => {
        if (this.#plain) this.#draw(escapeControls(text, true).split('\n'))
        else this.#editor.set(text)
      },
      play: (events) => this.#play(events),
      leave: () => this.leave(0),
    })
  }

  /** Aborted when what is running is cancelled. */
  get signal(): AbortSignal {
    return this.#turn?.signal ?? new AbortController().signal
  }

  /** Runs until the user leaves. @returns the exit code */
  async run(): Promise<number> {
    const redraw = (): void => this.#draw()
    const spinner = setInterval(() => this.#spin(), SPIN_MS)
    this.setup.output.on('resize', redraw)
    this.#typed.open()
    try {
      await this.#busy((signal) => this.#conversation.begin(signal))
      while (this.#exitCode === undefined) {
        const line = this.#isHeld ? undefined : this.#queue.shift()
        if (line !== undefined) await this.#busy((signal) => this.#take(line, signal))
        else {
          if (this.#isHeld) this.#tell('Enter sends what waits, Ctrl-C drops it')
          else this.#draw()
          await new Promise<void>((resolve) => { this.#wake = resolve })
        }
      }
      return this.#exitCode
    } finally {
      clearInterval(spinner)
      this.setup.output.off('resize', redraw)
      if (!this.#plain) this.#screen.clear()
      this.#plain?.dispose()
      this.#editor.dispose()
      await this.#conversation.end()
    }
  }

  /** Cancels what is running, and ends the conversation. */
  leave(exitCode: number): void {
    this.#exitCode ??= exitCode
    this.#turn?.abort()
    this.#wake()
  }

  /** Handles Ctrl-C: the first cancels what is running or empties the input line, the second leaves. */
  interrupt(): void {
    if (this.#turn) {
      if (this.#turn.signal.aborted) {
        this.leave(INTERRUPTED)
        return
      }
      this.#turn.abort()
      this.#isHeld = this.#queue.length > 0
      this.#tell('Stopping; Ctrl-C again leaves')
    } else if (this.#editor.line.text !== '') this.#editor.set('')
    else if (this.#isHeld) {
      this.#queue = []
      this.#isHeld = false
      this.#tell('')
    }
    else if (this.#hint !== '') this.leave(0)
    else this.#tell('Ctrl-C again leaves')
  }

  /** Lends the terminal, in line mode, to a task until it ends: a question to the user. */
  aside<T>(task: () => Promise<T>): Promise<T> {
    const run = async (): Promise<T> => {
      this.#isAside = true
      if (!this.#plain) this.#screen.clear()
      this.#typed.close()
      try {
        return await task()
      } finally {
        this.#isAside = false
        this.#typed.open()
        this.#draw()
      }
    }
    const done = this.#aside.then(run, run)
    this.#aside = done.catch(() => undefined)
    return done
  }

  get #typed(): Pick<LineEditor, 'open' | 'close'> {
    return this.#plain ?? this.#editor
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
      const { palette, output: { columns } } = this.setup
      this.#draw(failureRows(error, { palette, columns }))
    } finally {
      this.#turn = undefined
      this.#hint = ''
      // No call came, so they become ordinary messages, none of them a command.
      this.#queue.unshift(...this.#steering.splice(0).map((text) => (/^[/!]/.test(text) ? `/steer ${text}` : text)))
      if (turn.signal.aborted) this.#isHeld = this.#queue.length > 0
    }
  }

  async #take(line: string, signal: AbortSignal): Promise<void> {
    const own = /^!([^]*)$/.exec(line)?.[1]?.trim()
    if (own) return this.#conversation.own(own, signal)
    const command = slashLine(line)
    if (!command) return this.#say(line, signal)
    if ('command' in command && command.command.name === 'steer' && command.argument !== '') {
      return this.#say(command.argument, signal)
    }
    if ('command' in command) return this.#conversation.command(command.command.name, command.argument, signal)
    const near = didYouMean(command.unknown, SLASH_COMMANDS.map(({ name }) => name), '/')
    throw usageError(`Unknown command: /${command.unknown}`, `${near}/help lists the commands.`)
  }

  async #say(message: string, signal: AbortSignal): Promise<void> {
    return this.#conversation.say(message, signal, () => (
      this.#steering.length === 0 ? undefined : this.#steering.splice(0).join('\n\n')
    ))
  }

  /**
   * While the model works, passes a text, or all waiting messages, to it after its next calls. @returns whether it was
   * such a command
   */
  #steer(text: string): boolean {
    const command = this.#turn && slashLine(text)
    if (!command || !('command' in command) || command.command.name !== 'steer') return false
    // Commands keep waiting.
    const waiting = command.argument === '' ? this.#queue.filter((line) => !/^[/!]/.test(line)) : [command.argument]
    if (command.argument === '') this.#queue = this.#queue.filter((line) => !waiting.includes(line))
    this.#steering.push(...waiting)
    this.#tell(waiting.length === 0 ? 'Nothing waits: /steer TEXT' : '')
    return true
  }

  async #play(events: AsyncIterable<AgentEvent>): Promise<void> {
    const { output } = this.setup
    for await (const event of events) {
      const rows = this.#view.event(event, output.columns)
      if (this.#isAside) await this.#aside
      this.#draw(rows)
    }
    this.#draw([''])
  }

  #submit(text: string): boolean {
    if (text.trim() === '' && !this.#isHeld) return false
    if (this.#steer(text)) return true
    if (text.trim() !== '') this.#queue.push(text.trimEnd())
    if (!this.#turn) this.#isHeld = false
    this.#wake()
    return true
  }

  #tell(hint: string): void {
    this.#hint = hint
    this.#draw(this.#plain && (hint !== '' || !this.#turn) ? [hint] : [])
  }

  #spin(): void {
    if (!this.#turn || this.#plain) return
    this.#frame++
    this.#draw()
  }

  #waiting(): string[] {
    const { palette, output: { columns } } = this.setup
    return waitingRows(this.#steering, this.#queue, { palette, columns })
  }

  /** Prints finished rows, and the prompt when idle. */
  #printPlain(plain: PlainLines, finished: readonly string[]): void {
    plain.print(finished)
    const isIdle = !this.#turn && (this.#queue.length === 0 || this.#isHeld)
    if (isIdle && this.#exitCode === undefined) plain.prompt()
  }

  /** Redraws. @param finished rows that stay, above everything that changes */
  #draw(finished: readonly string[] = []): void {
    if (this.#isAside) return
    if (this.#plain) return this.#printPlain(this.#plain, finished)
    const { palette, output: { columns, rows } } = this.setup
    const width = columns - 1
    const above: string[] = []
    if (this.#turn) {
      const { status, elapsedMs } = this.#view
      above.push(
        ...this.#view.open(columns), statusRow(status, { elapsedMs, frame: this.#frame }, { palette, columns }),
        ...this.#view.output(columns),
      )
    }
    above.push(...this.#waiting())
    const prompt = promptRows(this.#editor.line, columns, Math.max(1, Math.floor(rows / 2)))
    this.#screen.show({
      rows: [...above, ...prompt.rows, ...(this.#hint === '' ? [] : [palette.faint(cutToWidth(this.#hint, width))])],
      cursor: { row: above.length + prompt.cursor.row, column: prompt.cursor.column },
    }, finished)
  }
}

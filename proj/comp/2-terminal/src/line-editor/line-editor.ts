import type { History } from './history-file.js'
import { KeyInput, type KeySource } from './key-input.js'
import { edit, emptyLine, insert, insertTabs, type Key, type Line, type Recall } from './line.js'
import { completeLine, type Completion } from './line-completion.js'

export interface LineEditorOptions {
  input: KeySource
  write(text: string): void
  history: History
  recalls?: Recall
  /** Treat Ctrl-J as Enter. Default: it inserts a line break. */
  entersWithLineFeed?: boolean
}

/** Callbacks of the editor. */
export interface LineListener {
  /** The text or the cursor may have changed. */
  changed(): void
  /**
   * Enter was pressed.
   *
   * @returns whether the line is accepted; otherwise it stays
   */
  enter(line: Line): boolean
  /** Ctrl-C. */
  interrupt(): void
  /** Esc alone. */
  escape?(): void
  /** Ctrl-D on an empty line, or the end of the input. */
  end(): void
  /** Ctrl-L: clear the screen. */
  wipe(): void
  /** The shell is about to use the terminal: remove the line from the screen. */
  hide(): void
  /** Handles pasted text. Default: it is inserted. */
  paste?(text: string): void
  /** Tab: complete the word. */
  complete?(line: Line): Completion | undefined | Promise<Completion | undefined>
  /** Second Tab with several candidates. */
  offer?(hits: readonly string[]): void
}

/** Most milliseconds until a stop signal takes effect. */
const STOPPING_MS = 50

/**
 * Edits a line typed at a terminal: keys and pastes change it, Enter submits it. It draws nothing. When closed, the
 * terminal is in line mode and others may read it.
 */
export class LineEditor {
  readonly #keys: KeyInput
  #line: Line
  #isOpen = false
  /** Input that arrived while completions are looked up. */
  #waiting: (() => void)[] | undefined
  #wasTab = false
  readonly #goOn = (): void => this.#continue()

  constructor(private readonly options: LineEditorOptions, private readonly listener: LineListener) {
    this.#line = emptyLine(options.history.lines, options.recalls)
    this.#keys = new KeyInput(options.input, (text) => options.write(text), {
      key: (typed, key) => this.#inTurn(() => this.#key(typed, key)),
      paste: (text) => this.#inTurn(() => {
        if (listener.paste) listener.paste(text)
        else this.insert(text)
      }),
      end: () => this.#inTurn(() => listener.end()),
    })
  }

  get line(): Line {
    return this.#line
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    process.on('SIGCONT', this.#goOn)
    this.#keys.open()
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    process.off('SIGCONT', this.#goOn)
    this.#keys.close()
  }

  /** Closes it, and stops listening for the end of input. */
  dispose(): void {
    this.close()
    this.#keys.dispose()
  }

  /** Replaces the text; the cursor goes to its end. */
  set(text: string): void {
    const { history, recalls } = this.options
    this.#take({ ...insertTabs(emptyLine(history.lines, recalls), text), past: [], killed: this.#line.killed })
  }

  /** Inserts text at the cursor, without interpreting it as keys. */
  insert(text: string): void {
    this.#take(insert(this.#line, text))
  }

  #key(typed: string | undefined, key: Key): void {
    const isAgain = this.#wasTab
    this.#wasTab = key.name === 'tab'
    if (key.ctrl === true && key.name === 'c') return this.listener.interrupt()
    if (key.name === 'escape' && this.listener.escape) return this.listener.escape()
    if (key.ctrl === true && key.name === 'd' && this.#line.text === '') return this.listener.end()
    if (key.ctrl === true && key.name === 'l') return this.listener.wipe()
    if (key.ctrl === true && key.name === 'z') return this.#stop()
    if (this.#isEnter(key)) return this.#enter()
    if (key.name === 'tab') return this.#complete(key.isFollowed === true, isAgain)
    this.#take(edit(this.#line, typed, key))
  }

  #isEnter({ name, meta }: Key): boolean {
    return (name === 'return' && meta !== true) || (name === 'enter' && this.options.entersWithLineFeed === true)
  }

  #enter(): void {
    const line = this.#line
    if (!this.listener.enter(line)) return
    this.options.history.add(line.text.trimEnd())
    this.set('')
  }

  #complete(isFollowed: boolean, isAgain: boolean): void {
    const line = this.#line
    const offer = this.listener.complete?.(line)
    if (!(offer instanceof Promise)) return this.#completed(offer, isAgain)
    // Nobody types on within the lookup: it is text pasted without paste markers.
    if (isFollowed) return this.#take(insertTabs(line, '\t'))
    const waiting: (() => void)[] = []
    this.#waiting = waiting
    const goOn = (completion: Completion | undefined): void => {
      this.#waiting = undefined
      this.#completed(completion, isAgain)
      for (const task of waiting) this.#inTurn(task)
    }
    // If completion fails, the line stays as it is.
    offer.then(goOn, () => goOn(undefined))
  }

  #completed(completion: Completion | undefined, isAgain: boolean): void {
    const line = completion ? completeLine(this.#line, completion) : this.#line
    if (isAgain && completion && line === this.#line && completion.hits.length > 1) {
      this.listener.offer?.(completion.hits)
    }
    this.#take(line)
  }

  #inTurn(task: () => void): void {
    if (this.#waiting) this.#waiting.push(task)
    else task()
  }

  #take(line: Line): void {
    this.#line = line
    this.listener.changed()
  }

  /**
   * Handles Ctrl-Z: gives the terminal to the shell until continued. Stops the whole job, as a terminal would, since
   * its shell waits for the parent, such as npx. If no shell can continue it, the system does not stop it, and it goes
   * on.
   */
  #stop(): void {
    if (process.platform === 'win32') return
    this.listener.hide()
    this.#keys.close()
    process.kill(0, 'SIGTSTP')
    setTimeout(this.#goOn, STOPPING_MS)
  }

  /** Also after a stop requested by others: the shell has changed the terminal mode. */
  #continue(): void {
    if (!this.#isOpen) return
    this.#keys.renew()
    this.listener.changed()
  }
}

import type { History } from './history-file.js'
import { KeyInput, type KeySource } from './key-input.js'
import { edit, emptyLine, insert, insertTabs, type Key, type Line, type Recall } from './line.js'
import { completeLine, type Completion } from './line-completion.js'

export interface LineEditorOptions {
  input: KeySource
  write(text: string): void
  history: History
  recalls?: Recall
  /** Ctrl-J is Enter as well. Default: it makes a further line. */
  entersWithLineFeed?: boolean
}

/** What the editor tells of. */
export interface LineListener {
  /** The line, or where its cursor stands, may be another. */
  changed(): void
  /** Enter. @returns whether the line is taken; else it stays as it is */
  enter(line: Line): boolean
  /** Ctrl-C. */
  interrupt(): void
  /** Esc alone. */
  escape?(): void
  /** Ctrl-D on an empty line, or the end of the input. */
  end(): void
  /** Ctrl-L. */
  wipe(): void
  /** The terminal is about to be the shell's: nothing of the line is to be seen there. */
  hide(): void
  /** Takes a text that was pasted. Default: it goes into the line. */
  paste?(text: string): void
  /** Tab. */
  complete?(line: Line): Completion | undefined | Promise<Completion | undefined>
  /** Tab a second time, and there are several. */
  offer?(hits: readonly string[]): void
}

/** A stop by a signal takes effect before this has passed. */
const STOPPING_MS = 50

/**
 * A line that is typed at a terminal: keys and pastes change it, Enter hands it over. It draws nothing. Closed, the
 * terminal is in line mode and others may read it.
 */
export class LineEditor {
  readonly #keys: KeyInput
  readonly #listener: LineListener
  readonly #options: LineEditorOptions
  #line: Line
  #isOpen = false
  /** While names are looked up: what came meanwhile. */
  #waiting: (() => void)[] | undefined
  #wasTab = false
  readonly #goOn = (): void => this.#continue()

  constructor(options: LineEditorOptions, listener: LineListener) {
    this.#options = options
    this.#listener = listener
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

  /** Closes it, and hears of the end no more. */
  dispose(): void {
    this.close()
    this.#keys.dispose()
  }

  /** Another text, with the cursor at its end. */
  set(text: string): void {
    const { history, recalls } = this.#options
    this.#take({ ...insertTabs(emptyLine(history.lines, recalls), text), past: [], killed: this.#line.killed })
  }

  /** Puts a text in at the cursor; it presses no key. */
  insert(text: string): void {
    this.#take(insert(this.#line, text))
  }

  #key(typed: string | undefined, key: Key): void {
    const isAgain = this.#wasTab
    this.#wasTab = key.name === 'tab'
    if (key.ctrl === true && key.name === 'c') return this.#listener.interrupt()
    if (key.name === 'escape' && this.#listener.escape) return this.#listener.escape()
    if (key.ctrl === true && key.name === 'd' && this.#line.text === '') return this.#listener.end()
    if (key.ctrl === true && key.name === 'l') return this.#listener.wipe()
    if (key.ctrl === true && key.name === 'z') return this.#stop()
    if (this.#isEnter(key)) return this.#enter()
    if (key.name === 'tab') return this.#complete(key.isFollowed === true, isAgain)
    this.#take(edit(this.#line, typed, key))
  }

  #isEnter({ name, meta }: Key): boolean {
    return (name === 'return' && meta !== true) || (name === 'enter' && this.#options.entersWithLineFeed === true)
  }

  #enter(): void {
    const line = this.#line
    if (!this.#listener.enter(line)) return
    this.#options.history.add(line.text.trimEnd())
    this.set('')
  }

  #complete(isFollowed: boolean, isAgain: boolean): void {
    const line = this.#line
    const found = this.#listener.complete?.(line)
    if (!(found instanceof Promise)) return this.#completed(found, isAgain)
    // Nobody who types waits for names in the middle: it is a text that came without the marks of a paste.
    if (isFollowed) return this.#take(insertTabs(line, '\t'))
    const waiting: (() => void)[] = []
    this.#waiting = waiting
    const goOn = (completion: Completion | undefined): void => {
      this.#waiting = undefined
      this.#completed(completion, isAgain)
      for (const task of waiting) this.#inTurn(task)
    }
    // What goes wrong in it, the line is better off without.
    found.then(goOn, () => goOn(undefined))
  }

  #completed(completion: Completion | undefined, isAgain: boolean): void {
    const line = completion ? completeLine(this.#line, completion) : this.#line
    if (isAgain && completion && line === this.#line && completion.hits.length > 1) {
      this.#listener.offer?.(completion.hits)
    }
    this.#take(line)
  }

  #inTurn(task: () => void): void {
    if (this.#waiting) this.#waiting.push(task)
    else task()
  }

  #take(line: Line): void {
    this.#line = line
    this.#listener.changed()
  }

  /**
   * Ctrl-Z: the shell has the terminal until it is continued. As from a terminal the whole job is stopped: its shell
   * waits for what started this, such as npx. Where no shell can continue it the system does not stop it, and it goes
   * on.
   */
  #stop(): void {
    if (process.platform === 'win32') return
    this.#listener.hide()
    this.#keys.close()
    process.kill(0, 'SIGTSTP')
    setTimeout(this.#goOn, STOPPING_MS)
  }

  /** Also after a stop that nobody here asked for: the shell has set the terminal to its own mode. */
  #continue(): void {
    if (!this.#isOpen) return
    this.#keys.renew()
    this.#listener.changed()
  }
}

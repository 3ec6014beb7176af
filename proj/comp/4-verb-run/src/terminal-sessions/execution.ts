import type { VerbContext } from '../../../0-contracts/src/index.js'
import { TextTeller } from '../command-processes/index.js'
import { ScreenText } from './screen-text.js'
import { ShellText } from './shell-text.js'
import { SCREEN } from './terminal-process.js'

/** How a command ended. */
export interface Ending {
  /** Exit status; if the command ended its shell, the shell's. */
  status: number
  /** Why hermes stopped it. */
  stopped?: 'timeout' | 'cancelled' | 'killed' | 'memory' | 'processes'
  /**
   * Whether the command ended its shell (`exit`), which was replaced by a new one with its directory, exported
   * variables and functions.
   */
  isRenewed?: true
  /** Whether the shell is gone. */
  isShellGone?: true
}

/** A command that a shell runs. */
export class Execution {
  /** Text typed into it. */
  readonly read = new ShellText()
  readonly startedAt = Date.now()
  /** Resolves when it has ended. */
  readonly ended: Promise<Ending>
  /**
   * Resolves when it has started, or ended without having started. Before that, typed text goes to the shell, and
   * Ctrl-C to no program.
   */
  readonly begun: Promise<void>
  readonly #screen: ScreenText
  readonly #teller: TextTeller | undefined
  #settle: (ending: Ending) => void = () => undefined
  #tellBegun: () => void = () => undefined
  /** `undefined` while it runs. */
  ending: Ending | undefined
  /** Time of its last output, as in `performance.now`; 0 for none. */
  lastOutputAt = 0
  #held = ''
  /** Why it is being stopped. */
  stopping: Ending['stopped']
  /** Output between the shell's markers for start and end is the command's. */
  #hasBegun = false
  isMuted = false

  constructor(
    readonly number: number, readonly command: string, maxOutputBytes: number, printing?: VerbContext['printing'],
  ) {
    this.#screen = new ScreenText(maxOutputBytes, SCREEN.rows)
    this.#teller = printing && new TextTeller(() => this.#screen.shown, printing)
    this.ended = new Promise(resolve => {
      this.#settle = resolve
    })
    this.begun = new Promise(resolve => {
      this.#tellBegun = resolve
    })
  }

  /** Number of bytes left out of the output last taken. */
  get omittedBytes(): number {
    return this.#screen.omitted
  }

  begin(): void {
    this.#hasBegun = true
    this.#tellBegun()
  }

  push(bytes: Buffer): void {
    if (!this.#hasBegun || this.isMuted || this.ending) return
    this.lastOutputAt = performance.now()
    this.#screen.push(bytes)
    this.#teller?.came()
  }

  /** Returns its output since the last call. */
  takeOutput(): string {
    const output = this.#held + this.#screen.take()
    this.#held = ''
    // An interactive shell prints `exit` as it leaves.
    const shown = output.replace(/(^|\n)exit\n$/, '$1')
    if (this.ending === undefined) this.#held = output.slice(shown.length)
    return this.ending === undefined || this.ending.isRenewed ? shown : output
  }

  /** Stops reporting its output. @throws what the listener threw */
  hush(): void {
    this.#teller?.end()
  }

  finish(ending: Ending): void {
    if (this.ending) return
    this.ending = { ...ending, ...(this.stopping && { stopped: this.stopping }) }
    this.#settle(this.ending)
    this.#tellBegun()
  }
}

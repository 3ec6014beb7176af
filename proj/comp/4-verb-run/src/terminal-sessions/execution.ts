import type { VerbContext } from '../../../0-contracts/src/index.js'
import { TextTeller } from '../command-processes/index.js'
import { ScreenText } from './screen-text.js'
import { ShellText } from './shell-text.js'
import { SCREEN } from './terminal-process.js'

/** How a command ended. */
export interface Ending {
  /** Exit status; of a command that left its shell that of the shell. */
  status: number
  /** Why it did not end by itself. */
  stopped?: 'timeout' | 'cancelled' | 'killed' | 'memory' | 'processes'
  /**
   * The command left its shell (`exit`), and a new one is in its place: with its directory,
   * exported variables and functions.
   */
  isRenewed?: true
  /** The shell is gone. */
  isShellGone?: true
}

/** A command that a shell runs. */
export class Execution {
  readonly number: number
  readonly command: string
  /** What was typed to it. */
  readonly read = new ShellText()
  readonly startedAt = Date.now()
  /** Settles when it has ended. */
  readonly ended: Promise<Ending>
  /**
   * Settles when it has begun, or has ended without that. Before, what is typed reaches the shell, and Ctrl-C nobody.
   */
  readonly begun: Promise<void>
  readonly #screen: ScreenText
  readonly #teller: TextTeller | undefined
  #settle: (ending: Ending) => void = () => undefined
  #tellBegun: () => void = () => undefined
  #ending: Ending | undefined
  #lastOutputAt = 0
  #held = ''
  /** Why it is being stopped. */
  stopping: Ending['stopped']
  /** Between the two what comes is its output. */
  #hasBegun = false
  isMuted = false

  constructor(number: number, command: string, maxOutputBytes: number, printing?: VerbContext['printing']) {
    this.number = number
    this.command = command
    this.#screen = new ScreenText(maxOutputBytes, SCREEN.rows)
    this.#teller = printing && new TextTeller(() => this.#screen.shown, printing)
    this.ended = new Promise(resolve => {
      this.#settle = resolve
    })
    this.begun = new Promise(resolve => {
      this.#tellBegun = resolve
    })
  }

  /** `undefined` while it runs. */
  get ending(): Ending | undefined {
    return this.#ending
  }

  /** When it last printed, as `performance.now` tells; 0 where it has not. */
  get lastOutputAt(): number {
    return this.#lastOutputAt
  }

  /** Bytes that the output taken last does not show. */
  get omittedBytes(): number {
    return this.#screen.omitted
  }

  begin(): void {
    this.#hasBegun = true
    this.#tellBegun()
  }

  push(bytes: Buffer): void {
    if (!this.#hasBegun || this.isMuted || this.#ending) return
    this.#lastOutputAt = performance.now()
    this.#screen.push(bytes)
    this.#teller?.came()
  }

  /** What it has printed since this was last asked. */
  takeOutput(): string {
    const output = this.#held + this.#screen.take()
    this.#held = ''
    // An interactive shell says so as it leaves.
    const shown = output.replace(/(^|\n)exit\n$/, '$1')
    if (this.#ending === undefined) this.#held = output.slice(shown.length)
    return this.#ending === undefined || this.#ending.isRenewed ? shown : output
  }

  /** Nobody hears of what it prints any more. @throws what the listener threw */
  hush(): void {
    this.#teller?.end()
  }

  finish(ending: Ending): void {
    if (this.#ending) return
    this.#ending = { ...ending, ...(this.stopping && { stopped: this.stopping }) }
    this.#settle(this.#ending)
    this.#tellBegun()
  }
}

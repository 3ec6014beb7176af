import type * as Pty from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { describe } from 'vitest'

const pty = await import('@lydell/node-pty').catch(() => undefined) as typeof Pty | undefined
const isRequired = !['', '0', 'false'].includes(process.env['CI'] ?? '')
const MOST_MS = 15_000

/** Tests at a pseudo terminal: where the package has no binary they are skipped, and say so; where `CI` is set that is a failure. */
export function describeWithPty(name: string, tests: () => void): void {
  const title = pty ? name : `${name} (needs @lydell/node-pty, which has no binary here)`
  describe.skipIf(!pty && !isRequired)(title, () => {
    tests()
  })
}

export interface PtyOptions {
  args: readonly string[]
  cwd: string
  env: Record<string, string>
  columns: number
  rows: number
}

/** A program at a terminal, and what its user sees. */
export class PtyScreen {
  readonly #terminal: InstanceType<typeof xterm.Terminal>
  readonly #process: Pty.IPty
  /** Exit code, or signal as 128 and its number. */
  readonly exited: Promise<number>
  #seen: () => void = () => undefined

  constructor(program: string, { args, cwd, env, columns, rows }: PtyOptions) {
    if (!pty) throw new Error('@lydell/node-pty has no binary here')
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 })
    this.#process = pty.spawn(program, [...args], { name: 'xterm-256color', cols: columns, rows, cwd, env })
    this.#process.onData((data) => this.#terminal.write(data, () => this.#seen()))
    // What programs ask the terminal is answered by it.
    this.#terminal.onData((data) => this.#process.write(data))
    this.exited = new Promise((resolve) => this.#process.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode)))
  }

  get pid(): number {
    return this.#process.pid
  }

  type(text: string): void {
    this.#process.write(text)
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows)
    this.#process.resize(columns, rows)
  }

  kill(signal: string): void {
    this.#process.kill(signal)
  }

  /** All lines, those scrolled away too; without spaces at ends and empty lines at the end. */
  get text(): string {
    const { active } = this.#terminal.buffer
    return Array.from({ length: active.length }, (_, index) => active.getLine(index)?.translateToString(true) ?? '').join('\n').trimEnd()
  }

  /** Row (from 0 of the screen) and column of the cursor. */
  get cursor(): { row: number; column: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active
    return { row: cursorY, column: cursorX }
  }

  /** Waits until the text is seen. @throws Error with what is seen instead */
  async until(wanted: string | RegExp): Promise<void> {
    const isThere = (): boolean => (typeof wanted === 'string' ? this.text.includes(wanted) : wanted.test(this.text))
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>((resolve, reject) => {
      this.#seen = () => isThere() && resolve()
      timer = setTimeout(() => reject(new Error(`Not seen: ${String(wanted)}. Seen:\n${this.text}`)), MOST_MS)
      this.#seen()
    }).finally(() => clearTimeout(timer))
    this.#seen = () => undefined
  }
}

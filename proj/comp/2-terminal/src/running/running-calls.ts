import type { WorkProgress } from '../../../0-contracts/src/index.js'
import { outputRow, type RowLook } from './status-rows.js'

/** The calls that run, how far they are, and what their commands have printed last. */
export class RunningCalls {
  readonly #mostLines: number
  /** By id, in the order they began. */
  readonly #running = new Map<string, { title: string; startedAt: number }>()
  #output: { id: string; lines: readonly string[] } = { id: '', lines: [] }
  /** How far a call is that works long. */
  #progress = ''

  /** @param mostLines of a command's output that are shown */
  constructor(mostLines: number) {
    this.#mostLines = mostLines
  }

  get size(): number {
    return this.#running.size
  }

  start(id: string, title: string): void {
    this.#running.set(id, { title, startedAt: performance.now() })
  }

  end(id: string): void {
    this.#running.delete(id)
    this.#progress = ''
    if (this.#output.id === id) this.#output = { id: '', lines: [] }
  }

  clear(): void {
    this.#running.clear()
    this.#progress = ''
    this.#output = { id: '', lines: [] }
  }

  progressed({ what, done, total }: WorkProgress): void {
    this.#progress = ` · ${what}, ${done} of ${total}`
  }

  printed(id: string, lines: readonly string[]): void {
    this.#output = { id, lines: lines.filter((line) => line.trim() !== '').slice(-this.#mostLines) }
  }

  /** What runs, on one line; of several calls the one that runs longest. */
  get title(): string | undefined {
    const [call] = this.#running.values()
    if (call === undefined) return undefined
    const others = this.#running.size === 1 ? '' : `  and ${this.#running.size - 1} more`
    return `${call.title}${others}${this.#progress}`
  }

  /** Of the same call. */
  get elapsedMs(): number | undefined {
    const [call] = this.#running.values()
    return call && performance.now() - call.startedAt
  }

  /** The last line that a command has printed. */
  get lastLine(): string | undefined {
    return this.#output.lines.at(-1)
  }

  /** The last lines of a command, a row each. */
  rows(look: RowLook): string[] {
    return this.#output.lines.map((line) => outputRow(line, look))
  }
}

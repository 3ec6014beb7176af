import type { WorkProgress } from '../../../0-contracts/src/index.js'
import { outputRow, type RowLook } from './status-rows.js'

/** The running calls, with their progress and latest output. */
export class RunningCalls {
  /** By id, in order of start. */
  readonly #running = new Map<string, { title: string; startedAt: number }>()
  /** Latest output by id; the one that printed last is at the end. */
  readonly #outputs = new Map<string, readonly string[]>()
  /** Progress of a long call. */
  #progress = ''

  /** @param mostLines output lines of a command to show */
  constructor(private readonly mostLines: number) {}

  get size(): number {
    return this.#running.size
  }

  start(id: string, title: string): void {
    this.#running.set(id, { title, startedAt: performance.now() })
  }

  end(id: string): void {
    this.#running.delete(id)
    this.#progress = ''
    this.#outputs.delete(id)
  }

  clear(): void {
    this.#running.clear()
    this.#progress = ''
    this.#outputs.clear()
  }

  progressed({ what, done, total }: WorkProgress): void {
    this.#progress = ` · ${what}, ${done} of ${total}`
  }

  printed(id: string, lines: readonly string[]): void {
    this.#outputs.delete(id)
    this.#outputs.set(id, lines.filter((line) => line.trim() !== '').slice(-this.mostLines))
  }

  /** Title on one line; of several calls the longest running one. */
  get title(): string | undefined {
    const [call] = this.#running.values()
    if (call === undefined) return undefined
    const others = this.#running.size === 1 ? '' : `  and ${this.#running.size - 1} more`
    return `${call.title}${others}${this.#progress}`
  }

  /** Elapsed time of the same call. */
  get elapsedMs(): number | undefined {
    const [call] = this.#running.values()
    return call && performance.now() - call.startedAt
  }

  /** The last output line of any command. */
  get lastLine(): string | undefined {
    return [...this.#outputs.values()].at(-1)?.at(-1)
  }

  /** The last output lines of a command; if several calls print, the last line of each, in order of start. */
  rows(look: RowLook): string[] {
    const outputs = [...this.#running.keys()].flatMap((id) => {
      const lines = this.#outputs.get(id)
      return lines === undefined ? [] : [lines]
    })
    const lines = outputs.length === 1 ? outputs.flat() : outputs.flatMap((each) => each.slice(-1))
    return lines.map((line) => outputRow(line, look))
  }
}

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isNodeError, orNothing } from '../../contracts/src/index.js'

const MOST_LINES = 1000
/** Longer ones are a file that was pasted. */
const MOST_LENGTH = 10_000

/** Lines typed before, the last one last: a JSON string a line, since one may hold line breaks. Others may not read it. */
export class HistoryFile {
  readonly #file: string
  #lines: string[]

  constructor(file: string) {
    this.#file = file
    this.#lines = orNothing(() => readFileSync(file, 'utf8'), '').split('\n').flatMap((line) => {
      const value: unknown = orNothing(() => line === '' ? undefined : JSON.parse(line) as unknown, undefined)
      return typeof value === 'string' ? [value] : []
    })
  }

  get lines(): readonly string[] {
    return this.#lines
  }

  /** Keeps a line; twice the same in a row once. What cannot be kept is only forgotten. */
  add(line: string): void {
    if (line === this.#lines.at(-1) || line.length > MOST_LENGTH) return
    this.#lines = [...this.#lines, line].slice(-MOST_LINES)
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
      writeFileSync(this.#file, this.#lines.map((one) => `${JSON.stringify(one)}\n`).join(''), { mode: 0o600 })
      chmodSync(this.#file, 0o600)
    } catch (error) {
      if (!isNodeError(error)) throw error
    }
  }
}

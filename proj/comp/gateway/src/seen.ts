import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isNodeError } from '../../contracts/src/index.js'

/** Longer than anybody sends again, and than a signature holds. */
const KEPT_MS = 24 * 3_600_000
const MOST = 100_000

/** The messages that were taken, also by a gateway before this one: none is answered twice. */
export class SeenMessages {
  readonly #file: string
  readonly #seen = new Map<string, number>()

  constructor(file: string, nowMs: number) {
    this.#file = file
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    for (const line of linesOf(file)) {
      const [time = '', key = ''] = line.split(' ', 2)
      if (Number(time) > nowMs - KEPT_MS && key !== '') this.#seen.set(key, Number(time))
    }
    writeFileSync(`${file}.tmp`, [...this.#seen].map(([key, time]) => `${time} ${key}\n`).join(''), { mode: 0o600 })
    renameSync(`${file}.tmp`, file)
  }

  /** True once for each; written down before anything is done about it. */
  take(adapter: string, id: string, nowMs: number): boolean {
    const key = encodeURIComponent(`${adapter}:${id.toWellFormed()}`)
    if (this.#seen.has(key)) return false
    this.#seen.set(key, nowMs)
    const [oldest] = this.#seen.keys()
    if (this.#seen.size > MOST && oldest !== undefined) this.#seen.delete(oldest)
    appendFileSync(this.#file, `${nowMs} ${key}\n`)
    return true
  }
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return []
    throw error
  }
}

import { appendFileSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeOwn } from '../../../2-files/src/index.js'
import { makeOwnDirectory } from '../../../2-config/src/index.js'
import { isNodeError } from '../../../0-contracts/src/index.js'

/** Longer than anybody sends again, and than a signature holds. */
const KEPT_MS = 24 * 3_600_000
const MOST = 100_000
/** Lines that no longer count, before the file is written anew. */
const SPARE = 1000
/** The time of what was taken back. */
const NEVER = 0

/**
 * The messages that were taken in the last day, also by a gateway before this one: none is answered twice. Lines are
 * added to a file, which is written anew when most of them no longer count: to a temporary one, which is renamed.
 */
export class SeenMessages {
  readonly #file: string
  readonly #most: number
  /** The oldest first. */
  readonly #seen = new Map<string, number>()
  #lines = 0

  /** @param most that are remembered */
  constructor(file: string, nowMs: number, most = MOST) {
    this.#file = file
    this.#most = most
    makeOwnDirectory(dirname(file))
    for (const line of linesOf(file)) {
      const [time = '', key = ''] = line.split(' ', 2)
      // Of a clock that was wrong; and what was taken back.
      const isRecent = Math.abs(nowMs - Number(time)) < KEPT_MS
      this.#seen.delete(key)
      if (isRecent && key !== '' && Number(time) !== NEVER) this.#seen.set(key, Number(time))
    }
    this.#forgetOld(nowMs)
    this.#writeAnew()
  }

  has(adapter: string, id: string): boolean {
    return this.#seen.has(keyOf(adapter, id))
  }

  /** True once for each. Known when it returns, also where it throws since the disk is full. */
  take(adapter: string, id: string, nowMs: number): boolean {
    this.#forgetOld(nowMs)
    const key = keyOf(adapter, id)
    if (this.#seen.has(key)) return false
    this.#seen.set(key, nowMs)
    this.#forgetOld(nowMs)
    this.#add(nowMs, key)
    return true
  }

  /** It was not worked on, and may come again. */
  forget(adapter: string, id: string): void {
    const key = keyOf(adapter, id)
    if (this.#seen.delete(key)) this.#add(NEVER, key)
  }

  #forgetOld(nowMs: number): void {
    for (const [key, time] of this.#seen) {
      if (this.#seen.size <= this.#most && nowMs - time < KEPT_MS) return
      this.#seen.delete(key)
    }
  }

  #add(time: number, key: string): void {
    appendFileSync(this.#file, `${time} ${key}\n`)
    this.#lines++
    if (this.#lines > Math.min(2 * this.#most, 2 * this.#seen.size + SPARE)) this.#writeAnew()
  }

  #writeAnew(): void {
    const text = [...this.#seen].map(([key, time]) => `${time} ${key}\n`).join('')
    writeOwn(this.#file, text)
    this.#lines = this.#seen.size
  }
}

function keyOf(adapter: string, id: string): string {
  return encodeURIComponent(`${adapter}:${id.toWellFormed()}`)
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return []
    throw error
  }
}

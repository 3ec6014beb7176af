import { appendFileSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeOwn } from '../../../2-files/src/index.js'
import { makeOwnDirectory } from '../../../2-config/src/index.js'
import { ifThere } from '../if-there.js'

/** Longer than any sender retries, and than a signature is valid. */
const KEPT_MS = 24 * 3_600_000
const MOST = 100_000
/** Number of obsolete lines before the file is rewritten. */
const SPARE = 1000
/** Time that marks a message given back. */
const NEVER = 0

/**
 * Messages accepted in the last day, also by an earlier gateway: none is answered twice. Lines are appended to a file,
 * which is rewritten, by a temporary file and a rename, when most of them are obsolete.
 */
export class SeenMessages {
  /** Oldest first. */
  readonly #seen = new Map<string, number>()
  #lines = 0

  /** @param most most messages remembered */
  constructor(private readonly file: string, nowMs: number, private readonly most = MOST) {
    makeOwnDirectory(dirname(file))
    for (const line of ifThere(() => readFileSync(file, 'utf8'))?.split('\n') ?? []) {
      const [time = '', key = ''] = line.split(' ', 2)
      // Ignore times of a wrong clock, and messages given back.
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

  /** True once for each message. It is remembered on return, even if this throws because the disk is full. */
  take(adapter: string, id: string, nowMs: number): boolean {
    this.#forgetOld(nowMs)
    const key = keyOf(adapter, id)
    if (this.#seen.has(key)) return false
    this.#seen.set(key, nowMs)
    this.#forgetOld(nowMs)
    this.#add(nowMs, key)
    return true
  }

  /** Called for a message that was not answered, so that it may come again. */
  forget(adapter: string, id: string): void {
    const key = keyOf(adapter, id)
    if (this.#seen.delete(key)) this.#add(NEVER, key)
  }

  #forgetOld(nowMs: number): void {
    for (const [key, time] of this.#seen) {
      if (this.#seen.size <= this.most && nowMs - time < KEPT_MS) return
      this.#seen.delete(key)
    }
  }

  #add(time: number, key: string): void {
    appendFileSync(this.file, `${time} ${key}\n`)
    this.#lines++
    if (this.#lines > Math.min(2 * this.most, 2 * this.#seen.size + SPARE)) this.#writeAnew()
  }

  #writeAnew(): void {
    writeOwn(this.file, [...this.#seen].map(([key, time]) => `${time} ${key}\n`).join(''))
    this.#lines = this.#seen.size
  }
}

function keyOf(adapter: string, id: string): string {
  return encodeURIComponent(`${adapter}:${id.toWellFormed()}`)
}

import { randomUUID } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { HermesError } from '../../../0-contracts/src/index.js'
import { ifExists } from '../store/index.js'
import { isThisProcess, ownIdentity } from '../../../2-processes/src/index.js'
import { keeperOf, readLock, type Keeper, type LockHolder } from './read-lock.js'
import { claim, removeStale, sweep } from './take-over.js'

const POLL_MS = 20
/** What this process holds itself is soon free. */
const OWN_POLL_MS = 2

export interface WaitOptions {
  /** How long to wait while another process holds it. */
  waitMs: number
  /** The same while this process does. Default: `waitMs`. */
  ownWaitMs?: number
  signal?: AbortSignal
  /** Told once, in words, which other process has it. */
  onWait?: (who: string) => void
  /** What is thrown when it is not free in time, with the holder in words. */
  locked: (who: string, path: string, holder: LockHolder | undefined) => HermesError
}

/** A file that one process at a time has, and in it one holder. It names its process. */
export class LockFile {
  readonly #path: string
  readonly #id: string
  readonly #record: string

  private constructor(path: string, id: string, record: string) {
    this.#path = path
    this.#id = id
    this.#record = record
  }

  /**
   * Takes the lock, or says who has it. One whose process is gone for certain is taken over, and one that names nobody.
   *
   * @param runId the run, or what else it is for
   * @throws HermesError `LOCKED` where it cannot be told who has it, `POLICY_DENIED` for a directory in its place;
   *   Node's errors
   */
  static tryAt(path: string, runId: string): LockFile | LockHolder {
    const taken = LockFile.#try(path, runId)
    if (taken !== 'hidden') return taken
    throw new HermesError('LOCKED', `Another user's process holds ${path}`, {
      hint: `Wait until it is done. It cannot be told whether it lives: when you know that it is gone, remove ${path}.`,
    })
  }

  /**
   * The same, and waits.
   *
   * @param place tells the path before each try, and makes its directory
   * @throws what `locked` makes; HermesError `POLICY_DENIED` for a directory in its place; Node's errors
   */
  static async acquire(place: () => string, runId: string, options: WaitOptions): Promise<LockFile> {
    const { waitMs, ownWaitMs = waitMs, signal, locked, onWait } = options
    const begun = performance.now()
    let isTold = false
    for (;;) {
      const path = place()
      const taken = LockFile.#try(path, runId)
      if (taken instanceof LockFile) return taken
      const holder = taken === 'hidden' ? undefined : taken
      const isOwn = holder !== undefined && isThisProcess(holder)
      const left = begun + (isOwn ? Math.max(waitMs, ownWaitMs) : waitMs) - performance.now()
      if (left <= 0 || signal?.aborted === true) throw locked(inWords(holder), path, holder)
      if (!isOwn && !isTold) onWait?.(inWords(holder))
      isTold ||= !isOwn
      await sleep(Math.min(isOwn ? OWN_POLL_MS : POLL_MS, left))
    }
  }

  static #try(path: string, runId: string): LockFile | Keeper {
    const id = randomUUID()
    const record = JSON.stringify({ id, ...ownIdentity(), runId, since: new Date().toISOString() })
    for (;;) {
      const present = readLock(path) ?? claim(path, record)
      if (present === undefined) {
        sweep(path)
        return new LockFile(path, id, record)
      }
      const keeper = keeperOf(present, path) ?? removeStale(path, present, record)
      if (keeper !== undefined) return keeper
    }
  }

  /** The file was removed, though its holder has not ended. Another that has it by now keeps it. */
  takeAgain(): void {
    claim(this.#path, this.#record)
  }

  /** While its process lives nobody else takes it, so that it can go also where it cannot be read. */
  release(): void {
    const found = readLock(this.#path)
    if (found?.kind === 'hidden' || found?.id === this.#id) ifExists(() => unlinkSync(this.#path))
  }
}

/** A holder, for messages: `run-1, process 12 on host, for 3 s`. */
export function inWords(holder: LockHolder | undefined): string {
  if (holder === undefined) return 'a process of another user'
  const { runId, pid, host, since } = holder
  const seconds = since === undefined ? undefined : Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000))
  return `${runId}, process ${pid} on ${host}${seconds === undefined ? '' : `, for ${seconds} s`}`
}

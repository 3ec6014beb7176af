import { randomUUID } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { HermesError } from '../../../0-contracts/src/index.js'
import { ifExists } from '../store/index.js'
import { isThisProcess, ownIdentity } from '../../../2-processes/src/index.js'
import { keeperOf, readLock, type Keeper, type LockHolder } from './read-lock.js'
import { claim, removeStale, sweep } from './take-over.js'

const POLL_MS = 20
/** Poll interval for a lock that this process itself holds, in milliseconds. */
const OWN_POLL_MS = 2

export interface WaitOptions {
  /** How long to wait while another process holds it, in milliseconds. */
  waitMs: number
  /** How long to wait while this process holds it, in milliseconds. Default: `waitMs`. */
  ownWaitMs?: number
  signal?: AbortSignal
  /** Called once, with a description of the other process that holds it. */
  onWait?: (who: string) => void
  /** Makes the error for a lock that is not free in time; `who` describes the holder. */
  locked: (who: string, path: string, holder: LockHolder | undefined) => HermesError
}

/** A lock held by one process at a time, and within it by one holder. The file names its process. */
export class LockFile {
  private constructor(private readonly path: string, private readonly id: string, private readonly record: string) {}

  /**
   * Takes the lock, or returns its holder. A lock is taken over if its process is certainly gone, or it names none.
   *
   * @param runId the run, or another purpose
   * @throws HermesError `LOCKED` where the holder is unknown, `POLICY_DENIED` for a directory in its place; Node's
   *   errors
   */
  static tryAt(path: string, runId: string): LockFile | LockHolder {
    const taken = LockFile.#try(path, runId)
    if (taken !== 'hidden') return taken
    throw new HermesError('LOCKED', `Another user's process holds ${path}`, {
      hint: `Wait until it is done. It cannot be told whether it lives: when you know that it is gone, remove ${path}.`,
    })
  }

  /**
   * As `tryAt`, but waits.
   *
   * @param place returns the path before each try, and creates its directory
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

  /** Creates the file again if it was removed while held. If someone else holds it by now, they keep it. */
  takeAgain(): void {
    claim(this.path, this.record)
  }

  /**
   * Removes the file, unless it names another holder; also an unreadable one,
   * since nobody takes it while this process lives.
   */
  release(): void {
    const lock = readLock(this.path)
    if (lock?.kind === 'hidden' || lock?.id === this.id) ifExists(() => unlinkSync(this.path))
  }
}

/** Describes a holder for messages: `run-1, process 12 on host, for 3 s`. */
export function inWords(holder: LockHolder | undefined): string {
  if (holder === undefined) return 'a process of another user'
  const { runId, pid, host, since } = holder
  const seconds = since === undefined ? undefined : Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000))
  return `${runId}, process ${pid} on ${host}${seconds === undefined ? '' : `, for ${seconds} s`}`
}

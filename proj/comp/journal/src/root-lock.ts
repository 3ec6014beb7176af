import { randomUUID } from 'node:crypto'
import { linkSync, lstatSync, readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { HermesError, isNodeError, orNothing } from '../../contracts/src/index.js'
import { ifExists, stateDirectory } from '../../files/src/index.js'
import { sha256 } from './file-state.js'
import {
  isSeenFromHere, isThisProcess, mayLive, ownIdentity, PROCESS_IDENTITY, type ProcessIdentity,
} from './process-identity.js'

const POLL_MS = 50
/** Runs of one process take turns; a run that waits for one it was called from would wait for ever. */
const OWN_WAIT_MS = 60_000
const OWN_POLL_MS = 2

const OWNER = v.object({
  ...PROCESS_IDENTITY.entries, id: v.string(), runId: v.string(), since: v.pipe(v.string(), v.isoTimestamp()),
  // The system takes others for groups of processes.
  pid: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(0x7fff_ffff)),
})
type Owner = v.InferOutput<typeof OWNER>

/** Who has a lock file; without an owner it is damaged, and blocks nobody. */
interface Holder {
  id: string
  owner?: Owner
}

/** One writer at a time for a root: the file `.hermes/lock` names the run that writes, and its process. */
export class RootLock {
  readonly #path: string
  readonly #owner: Owner

  private constructor(path: string, owner: Owner) {
    this.#path = path
    this.#owner = owner
  }

  /**
   * Takes the lock; one whose process is gone is taken over.
   *
   * @param waitMs how long to wait while another run holds it
   * @throws HermesError `LOCKED` with who holds it
   */
  static async acquire(root: string, runId: string, waitMs: number, signal: AbortSignal): Promise<RootLock> {
    const begun = performance.now()
    for (;;) {
      const path = join(stateDirectory(root), 'lock')
      const held = RootLock.#try(path, runId)
      if (held instanceof RootLock) return held
      const isOwn = isThisProcess(held)
      const left = begun + (isOwn ? Math.max(waitMs, OWN_WAIT_MS) : waitMs) - performance.now()
      if (left <= 0 || signal.aborted) throw locked(held, path)
      await sleep(Math.min(isOwn ? OWN_POLL_MS : POLL_MS, left))
    }
  }

  /**
   * The same for something else that one process at a time may have: a lock file of its own, and no waiting.
   *
   * @returns the lock, or the process that has it
   */
  static tryAt(path: string, holder: string): RootLock | ProcessIdentity {
    return RootLock.#try(path, holder)
  }

  /** @returns the lock, or the living process that has it or is just taking it over */
  static #try(path: string, runId: string): RootLock | Owner {
    const owner: Owner = { id: randomUUID(), ...ownIdentity(), runId, since: new Date().toISOString() }
    for (;;) {
      const present = claim(path, owner)
      if (present === undefined) {
        sweep(path)
        return new RootLock(path, owner)
      }
      const living = livingOf(present) ?? removeStale(path, present, owner)
      if (living) return living
    }
  }

  /** The file was removed, though its run has not ended. Another run that has it by now keeps it. */
  takeAgain(): void {
    claim(this.#path, this.#owner)
  }

  /** While its process lives nobody else takes it, so that it can go also where it cannot be read. */
  release(): void {
    if (isHeldByOther(this.#path, this.#owner)) return
    ifExists(() => unlinkSync(this.#path))
  }
}

/** Whether a run holds its root, that is, has begun and not ended. */
export function isHeldBy(root: string, runId: string): boolean {
  // Where it cannot be read, taking it will tell why.
  return orNothing(() => readHolder(join(root, '.hermes', 'lock'))?.owner?.runId === runId, false)
}

/**
 * Removes a file whose holder is gone. Only who has the guard of just this holder may do so: otherwise the second of
 * two would remove what the first has just made. A guard whose holder is gone has a guard itself.
 *
 * @returns the living process that is about to remove it
 */
function removeStale(path: string, stale: Holder, owner: Owner): Owner | undefined {
  const guards: string[] = []
  for (let gone = stale; ;) {
    const guard = `${path}.takeover-${sha256(Buffer.from(gone.id)).slice(0, 16)}`
    const other = claim(guard, owner)
    guards.push(guard)
    if (other === undefined) break
    const living = livingOf(other)
    if (living) return living
    gone = other
  }
  // Only now is it sure that nobody else has removed it meanwhile, or will.
  if (readHolder(path)?.id === stale.id) unlinkSync(path)
  for (const guard of guards) ifExists(() => unlinkSync(guard))
  return undefined
}

/** A process that made no progress for so long while it took the lock is taken to be dead, in milliseconds. */
const TAKES_AT_MOST_MS = 60_000

/** Removes what processes left that died while they took the lock. The caller has it. */
function sweep(path: string): void {
  try {
    for (const name of readdirSync(dirname(path))) {
      if (name.startsWith(`${basename(path)}.`)) removeIfDead(join(dirname(path), name))
    }
  } catch (error) {
    // It stays, and harms nobody.
    if (!isNodeError(error)) throw error
  }
}

function removeIfDead(file: string): void {
  const holder = readHolder(file)
  if (!holder || livingOf(holder)) return
  if (holder.owner || isOlder(file, TAKES_AT_MOST_MS)) ifExists(() => unlinkSync(file))
}

function isOlder(file: string, milliseconds: number): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > milliseconds
}

function isHeldByOther(path: string, { id }: Owner): boolean {
  return orNothing(() => readHolder(path)?.id !== id, false)
}

function livingOf({ owner }: Holder): Owner | undefined {
  if (!owner) return undefined
  const { pid, host, started } = owner
  return mayLive({ pid, host, ...(started !== undefined && { started }) }) ? owner : undefined
}

/** Makes the file with its content in one step. @returns who has it already, if someone has */
function claim(path: string, owner: Owner): Holder | undefined {
  const temp = `${path}.${owner.id}`
  try {
    writeFileSync(temp, JSON.stringify(owner), { mode: 0o600 })
    for (;;) {
      try {
        linkSync(temp, path)
        return undefined
      } catch (error) {
        if (!isNodeError(error) || error.code !== 'EEXIST') throw error
      }
      // Gone again in between: then it can be had.
      const present = readHolder(path)
      if (present !== undefined) return present
    }
  } finally {
    ifExists(() => unlinkSync(temp))
  }
}

/**
 * A link is not followed: it may lead nowhere, or to what never ends.
 * @throws HermesError `POLICY_DENIED` for a directory
 */
function readHolder(path: string): Holder | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (stats.isDirectory()) throw notALock(path)
  // Not ours; but it can be removed like one.
  if (!stats.isFile()) return { id: `damaged ${stats.dev}:${stats.ino}` }
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
    const owner = v.parse(OWNER, JSON.parse(text))
    return { id: owner.id, owner }
  } catch (error) {
    if (isNodeError(error) && error.code === 'ENOENT') return undefined
    if (!(error instanceof SyntaxError) && !v.isValiError(error)) throw error
    // Cut off by a loss of power, or not ours.
    return { id: `damaged ${text}` }
  }
}

/**
 * Who has the lock of a root and lives, in words; `undefined` where it is free, or this process has it.
 * @throws Node's errors
 */
export function runAtWork(root: string): string | undefined {
  const holder = readHolder(join(root, '.hermes', 'lock'))
  const owner = holder && livingOf(holder)
  return owner === undefined || isThisProcess(owner) ? undefined : inWords(owner)
}

function inWords({ pid, host, since, runId }: Owner): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(since)) / 1000))
  return `${runId}, process ${pid} on ${host}, for ${seconds} s`
}

function locked(owner: Owner, path: string): HermesError {
  return new HermesError('LOCKED', `Another run works in this root: ${inWords(owner)}`, {
    hint: isSeenFromHere(owner)
      ? 'Wait until it is done, or give --wait SECONDS. A run that died is noticed and its lock taken over.'
      : 'Wait until it is done, or give --wait SECONDS. It is of another machine or container, '
        + 'so whether it lives cannot be told here: '
        + `when you know that it is gone, remove ${path}, then hermes recover.`,
  })
}

function notALock(path: string): HermesError {
  return new HermesError('POLICY_DENIED', `'${path}' is not a file of hermes`, {
    hint: 'Ask the user to remove it: hermes keeps its own files there.',
  })
}

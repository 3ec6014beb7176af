import { hash, randomUUID } from 'node:crypto'
import { readdirSync, statSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createWhole } from '../atomic-write/index.js'
import { orNothing, unlessCode } from '../../../0-contracts/src/index.js'
import { ifExists } from '../store/index.js'
import { keeperOf, readLock, type FoundLock, type Keeper } from './read-lock.js'

/**
 * Creates the lock file.
 *
 * @returns the existing lock, if there is one
 */
export function claim(path: string, record: string): FoundLock | undefined {
  for (;;) {
    const isMade = unlessCode(['EEXIST'], () => {
      // Not flushed: after a loss of power nobody holds it.
      createWhole(path, record, { mode: 0o600, temporary: `${path}.${randomUUID()}`, flush: false })
      return true
    }, false)
    if (isMade) return undefined
    // If it is gone again, try again.
    const present = readLock(path)
    if (present !== undefined) return present
  }
}

/** End of the name of the file that is filled first. */
const TEMPORARY_SUFFIX = '\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/**
 * Removes a lock whose holder is gone. Only the holder of a guard (a lock file for removing exactly this lock) may do
 * so; otherwise the second of two processes would remove the lock that the first has just created. A guard whose holder
 * is gone is removed in the same way.
 *
 * @param record of the caller
 * @returns who is about to remove it, or to fill it
 */
export function removeStale(path: string, stale: FoundLock, record: string): Keeper | undefined {
  const guards: string[] = []
  for (let gone = stale; ;) {
    const guard = `${path}${GUARD}${hash('sha256', gone.id).slice(0, 16)}`
    const other = claim(guard, record)
    if (other !== undefined) {
      const keeper = keeperOf(other, guard) ?? makerOf(guard, other)
      if (keeper) return keeper
      // It was filled meanwhile.
      if (readLock(guard)?.id !== other.id) return undefined
    }
    guards.push(guard)
    if (other === undefined) break
    gone = other
  }
  try {
    const maker = makerOf(path, stale)
    // Only with the guard held is it certain that nobody else has removed it or will.
    if (readLock(path)?.id !== stale.id) return undefined
    if (maker === undefined) ifExists(() => unlinkSync(path))
    return maker
  } finally {
    for (const guard of guards) ifExists(() => unlinkSync(guard))
  }
}

const GUARD = '.takeover-'

/**
 * A process that may still be filling a lock file, on a file system without links. Call it before the last read of the
 * file: once that process is gone, the file is complete.
 */
function makerOf(path: string, { kind }: FoundLock): Keeper | undefined {
  if (kind !== 'damaged') return undefined
  for (const file of besideOf(path, TEMPORARY_SUFFIX)) {
    const lock = readLock(file)
    const maker = lock?.kind === 'held' ? keeperOf(lock, file) : undefined
    if (maker !== undefined) return maker
  }
  return undefined
}

/** A process that makes no progress for this long while taking a lock counts as dead, in milliseconds. */
const TAKES_AT_MOST_MS = 60_000

/** Removes files of processes that died while taking a lock. The caller has just taken it. */
export function sweep(path: string): void {
  // A file that cannot be removed stays, and does no harm.
  orNothing(() => {
    // By the clock of the file system, which may be on another host.
    const now = statSync(path).mtimeMs
    for (const file of besideOf(path, `(?:${GUARD.replace('.', '\\.')}[0-9a-f]{16})?(?:${TEMPORARY_SUFFIX})?`)) {
      const lock = readLock(file)
      if (!lock || lock.kind === 'directory' || keeperOf(lock, file)) continue
      if (lock.kind === 'held' || isOlder(file, now - TAKES_AT_MOST_MS)) ifExists(() => unlinkSync(file))
    }
  }, undefined)
}

function isOlder(file: string, time: number): boolean {
  return orNothing(() => statSync(file).mtimeMs < time, false)
}

/** Files whose names are the lock's plus a suffix; excludes other locks beside it (`a` and `a.b`). */
function besideOf(path: string, suffix: string): string[] {
  const name = basename(path)
  const isOfLock = new RegExp(`^${suffix}$`)
  return readdirSync(dirname(path)).filter((other) => (
    other !== name && other.startsWith(name) && isOfLock.test(other.slice(name.length))
  )).map((other) => join(dirname(path), other))
}

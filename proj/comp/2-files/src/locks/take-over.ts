import { hash, randomUUID } from 'node:crypto'
import { readdirSync, statSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { createWhole } from '../atomic-write/index.js'
import { isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { ifExists } from '../store/index.js'
import { keeperOf, readLock, type FoundLock, type Keeper } from './read-lock.js'

/** Makes the lock file. @returns what is there already, if there is something */
export function claim(path: string, record: string): FoundLock | undefined {
  for (;;) {
    try {
      // Not flushed: after a loss of power nobody holds it.
      createWhole(path, record, { mode: 0o600, temporary: `${path}.${randomUUID()}`, flush: false })
      return undefined
    } catch (error) {
      if (!isNodeError(error) || error.code !== 'EEXIST') throw error
    }
    // Gone again in between: then it can be had.
    const present = readLock(path)
    if (present !== undefined) return present
  }
}

/** How the name ends of the file that is filled first. */
const TEMPORARY_SUFFIX = '\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/**
 * Removes a lock whose holder is gone. Only who has the guard of just this holder may do so: otherwise the second of
 * two would remove what the first has just made. A guard whose holder is gone has a guard itself.
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
    // Only now is it sure that nobody else has removed it meanwhile, or will.
    if (readLock(path)?.id !== stale.id) return undefined
    if (maker === undefined) ifExists(() => unlinkSync(path))
    return maker
  } finally {
    for (const guard of guards) ifExists(() => unlinkSync(guard))
  }
}

const GUARD = '.takeover-'

/**
 * A process that may be filling a lock file, where a file system has no links to make it in one step. To be asked
 * before the last look at the file: once its maker is gone, the file is whole.
 */
function makerOf(path: string, { kind }: FoundLock): Keeper | undefined {
  if (kind !== 'damaged') return undefined
  for (const file of besideOf(path, TEMPORARY_SUFFIX)) {
    const found = readLock(file)
    const maker = found?.kind === 'held' ? keeperOf(found, file) : undefined
    if (maker !== undefined) return maker
  }
  return undefined
}

/** A process that made no progress for so long while it took a lock is taken to be dead, in milliseconds. */
const TAKES_AT_MOST_MS = 60_000

/** Removes what processes left that died while they took a lock. The caller has just taken it. */
export function sweep(path: string): void {
  try {
    // By the clock of the file system, which may be another host's.
    const now = statSync(path).mtimeMs
    for (const file of besideOf(path, `(?:${GUARD.replace('.', '\\.')}[0-9a-f]{16})?(?:${TEMPORARY_SUFFIX})?`)) {
      const found = readLock(file)
      if (!found || found.kind === 'directory' || keeperOf(found, file)) continue
      if (found.kind === 'held' || isOlder(file, now - TAKES_AT_MOST_MS)) ifExists(() => unlinkSync(file))
    }
  } catch (error) {
    // It stays, and harms nobody.
    if (!isNodeError(error)) throw error
  }
}

function isOlder(file: string, time: number): boolean {
  return orNothing(() => statSync(file).mtimeMs < time, false)
}

/** Files whose names are that of the lock and something more. Other locks beside it are none: `a` and `a.b`. */
function besideOf(path: string, suffix: string): string[] {
  const name = basename(path)
  const isOfLock = new RegExp(`^${suffix}$`)
  return readdirSync(dirname(path)).filter((other) => (
    other !== name && other.startsWith(name) && isOfLock.test(other.slice(name.length))
  )).map((other) => join(dirname(path), other))
}

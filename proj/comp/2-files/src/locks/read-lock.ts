import { lstatSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import * as v from 'valibot'
import { HermesError, isNodeError, unless } from '../../../0-contracts/src/index.js'
import { identityOfMark, mayLive, PROCESS_IDENTITY, type ProcessIdentity } from '../../../2-processes/src/index.js'

/** The holder of a lock. */
export interface LockHolder extends ProcessIdentity {
  /** The run, or another purpose such as `cron`. */
  runId: string
  /** ISO 8601. */
  since?: string | undefined
}

/** What is at the path of a lock. */
export type FoundLock =
  | { kind: 'held'; id: string; holder: LockHolder }
  /** Cut off by a loss of power, or not written by hermes: it names no holder and blocks nobody. */
  | { kind: 'damaged'; id: string }
  /** Another user's lock, which cannot be read. */
  | { kind: 'hidden'; id: string }
  | { kind: 'directory'; id: string }

const RECORD = v.object({
  ...PROCESS_IDENTITY.entries,
  // The system takes other numbers for process groups.
  pid: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(0x7fff_ffff)),
  id: v.optional(v.string()), runId: v.optional(v.string(), 'unknown'),
  since: v.fallback(v.optional(v.pipe(v.string(), v.isoTimestamp())), undefined),
})
/** Larger than any lock record. */
const MOST_BYTES = 64n * 1024n

/**
 * The holder of a lock, if it may be alive; `undefined` where there is none, or it cannot be read.
 *
 * @throws as `keeperOf`
 */
export function lockHolder(path: string): LockHolder | undefined {
  const lock = readLock(path)
  const keeper = lock && keeperOf(lock, path)
  return keeper === 'hidden' ? undefined : keeper
}

/** Who prevents a lock from being taken; `hidden`: another user, whose lock cannot be read. */
export type Keeper = LockHolder | 'hidden'

/**
 * `undefined` where nobody does: its process is certainly gone, or it names none.
 *
 * @throws HermesError `POLICY_DENIED` for a directory in its place
 */
export function keeperOf(lock: FoundLock, path: string): Keeper | undefined {
  if (lock.kind === 'directory') {
    throw new HermesError('POLICY_DENIED', `'${path}' is not a file of hermes`, {
      hint: 'Ask the user to remove it: hermes keeps its own files there.',
    })
  }
  if (lock.kind === 'hidden') return 'hidden'
  return lock.kind === 'held' && mayLive(lock.holder) ? lock.holder : undefined
}

/**
 * Reads a lock file without following a link.
 *
 * @throws Node's errors
 */
export function readLock(path: string): FoundLock | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  if (stats === undefined) return undefined
  const id = `${stats.dev}:${stats.ino}:${stats.mtimeNs}`
  if (stats.isDirectory()) return { kind: 'directory', id }
  // Not a lock of hermes, but it can be removed like one.
  if (!stats.isFile() || stats.size > MOST_BYTES) return { kind: 'damaged', id }
  try {
    const record = recordIn(readFileSync(path, 'utf8'))
    return record ? { kind: 'held', id: record.id ?? id, holder: record } : { kind: 'damaged', id }
  } catch (error) {
    if (!isNodeError(error)) throw error
    if (error.code === 'ENOENT') return undefined
    if (error.code === 'EACCES' || error.code === 'EPERM') return { kind: 'hidden', id }
    throw error
  }
}

function recordIn(text: string): (LockHolder & { id?: string | undefined }) | undefined {
  const earlier = holderOfEarlier(text.trim())
  if (earlier) return { ...earlier, runId: 'unknown' }
  const isNoRecord = (error: unknown): boolean => error instanceof SyntaxError || v.isValiError(error)
  return unless(isNoRecord, () => v.parse(RECORD, JSON.parse(text)), undefined)
}

/** Reads locks of earlier versions: a process id for a settings file, the mark of a process for a replay. */
function holderOfEarlier(text: string): ProcessIdentity | undefined {
  return /^[1-9]\d{0,9}$/.test(text) ? { pid: Number(text), host: hostname() } : identityOfMark(text)
}

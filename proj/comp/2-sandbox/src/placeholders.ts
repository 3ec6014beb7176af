import {
  lstatSync, mkdirSync, readdirSync, rmdirSync, statSync, unlinkSync, utimesSync, writeFileSync, type Stats,
} from 'node:fs'
import { join } from 'node:path'
import { isNodeError } from '../../0-contracts/src/index.js'
import { isRunning } from '../../2-processes/src/index.js'

/** How many commands that run now need the placeholder at a path. */
const needed = new Map<string, number>()

/** What stands in roots at the moment for commands that run on, e.g. shells: no work of anybody. */
export function standingPlaceholders(): readonly string[] {
  return [...needed.keys()]
}

const HELD = [['.git', 'directory'], ['hermes.yaml', 'file']] as const

/**
 * A placeholder's time of change is so many seconds after this as the number of its process: no file of a user's is.
 */
const OWNED_SINCE = Date.UTC(2001, 0, 1) / 1000
/** Largest number of a process on Linux. */
const LARGEST_PID = 2 ** 22

/**
 * Removes the placeholders of a hermes that was killed while a command ran.
 *
 * @param since when its run began, in milliseconds since 1970: what is older is someone else's
 */
export function removeOldPlaceholders(root: string, since: number): void {
  for (const [name, kind] of HELD) {
    const path = join(root, name)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    // File systems keep coarser times than the clock.
    if (stats !== undefined && isKind(stats, kind) && (stats.mtimeMs >= since - 1000 || isLeftBehind(stats))) {
      removeIfEmpty(path, kind)
    }
  }
}

/**
 * What must not come into being in a root or `--allow` directory while a command runs, since hermes itself would follow
 * it later: a repository with hooks and settings, a policy, and a state of hermes. An empty one is made, which the
 * sandbox shows read-only; it is removed after the command unless someone else has put something there.
 *
 * @param directories that commands may write; a root has its `.hermes` already
 * @param further places besides these
 * @returns what to call once the command has ended
 */
export function placePlaceholders(
  directories: readonly string[], further: readonly { path: string; kind: 'directory' | 'file' }[] = [],
): () => void {
  const releases = [
    ...directories.flatMap(directory => (
      [...HELD, ['.hermes', 'directory'] as const].map(([name, kind]) => hold(join(directory, name), kind))
    )),
    ...further.map(({ path, kind }) => hold(path, kind)),
  ]
  return () => releases.forEach(release => release())
}

function hold(path: string, kind: 'directory' | 'file'): () => void {
  const count = needed.get(path) ?? 0
  if (count === 0 && !make(path, kind)) return () => undefined
  needed.set(path, count + 1)
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    const left = (needed.get(path) ?? 1) - 1
    needed.set(path, left)
    if (left > 0) return
    needed.delete(path)
    removeIfEmpty(path, kind)
  }
}

/** @returns false where something is there already, or nothing can be made: then a command cannot make it either */
function make(path: string, kind: 'directory' | 'file'): boolean {
  try {
    if (kind === 'directory') mkdirSync(path)
    else writeFileSync(path, '', { flag: 'wx' })
  } catch (error) {
    if (!isNodeError(error)) throw error
    // One that a process left behind when it died is as good as new.
    if (error.code !== 'EEXIST' || !(kind === 'directory' ? isEmptyDirectory(path) : isEmptyLeftBehind(path))) {
      return false
    }
  }
  own(path)
  return true
}

/** Time of change of what this process makes for a while, in seconds. */
export function ownedNow(): number {
  return OWNED_SINCE + process.pid
}

function own(path: string): void {
  try {
    const seconds = ownedNow()
    utimesSync(path, seconds, seconds)
  } catch (error) {
    // It is in nobody's way: it only stays if this process is killed.
    if (!isNodeError(error)) throw error
  }
}

function isKind(stats: Stats, kind: 'directory' | 'file'): boolean {
  return kind === 'directory' ? stats.isDirectory() : stats.isFile()
}

function isEmptyLeftBehind(path: string): boolean {
  const stats = lstatSync(path)
  return stats.isFile() && stats.size === 0 && isLeftBehind(stats)
}

/** Whether it was made by a process that is gone. */
export function isLeftBehind({ mtimeMs }: Stats): boolean {
  const pid = mtimeMs / 1000 - OWNED_SINCE
  return Number.isInteger(pid) && pid >= 1 && pid <= LARGEST_PID && pid !== process.pid && !isRunning(pid)
}

function isEmptyDirectory(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path).length === 0
}

function removeIfEmpty(path: string, kind: 'directory' | 'file'): void {
  try {
    if (kind === 'directory') rmdirSync(path)
    else if (statSync(path).size === 0) unlinkSync(path)
  } catch (error) {
    // Someone has put something there, or removed it.
    if (!isNodeError(error)) throw error
  }
}

import {
  existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, statSync, unlinkSync, utimesSync, writeFileSync, type Stats,
} from 'node:fs'
import { join } from 'node:path'
import { orNothing, unlessRefused } from '../../../0-contracts/src/index.js'
import { isRunning } from '../../../2-processes/src/index.js'
import { type Holders, withHolders } from './holders.js'

interface Held {
  /** How many commands of this process that run now need it. */
  count: number
  /** Someone else's, who removes it. */
  isForeign: boolean
}

const needed = new Map<string, Held>()

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
  const empty = HELD.map(([name, kind]) => ({ path: join(root, name), kind })).filter(isEmptyOne)
  if (empty.length > 0) withHolders(holders => empty.forEach(({ path, kind }) => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined || (holders?.others(path).length ?? 0) > 0) return
    // File systems keep coarser times than the clock.
    if (stats.mtimeMs >= since - 1000 || isLeftBehind(stats)) removeIfEmpty(path, kind)
  }))
}

/**
 * What must not come into being in a root or `--allow` directory while a command runs, since hermes itself would follow
 * it later: a repository with hooks and settings, a policy, and a state of hermes. An empty one is made, which the
 * sandbox shows read-only; it is removed after the last command that needs it, in whatever process, unless someone else
 * has put something there.
 *
 * @param directories that commands may write; a root has its `.hermes` already
 * @param further places besides these
 * @returns what to call once the command has ended
 */
export function placePlaceholders(
  directories: readonly string[], further: readonly { path: string; kind: 'directory' | 'file' }[] = [],
): () => void {
  const all: readonly Placeholder[] = [
    ...directories.flatMap(directory => (
      [...HELD, ['.hermes', 'directory'] as const].map(([name, kind]) => ({ path: join(directory, name), kind }))
    )),
    ...further,
  ]
  const places = all.filter(placeholder => !existsSync(placeholder.path) || isEmptyOne(placeholder))
  const held = places.length === 0 ? [] : withHolders(holders => places.filter(place => hold(place, holders)))
  let isReleased = held.length === 0
  return () => {
    if (isReleased) return
    isReleased = true
    const unneeded = held.filter(isNoLongerNeeded)
    if (unneeded.length === 0) return
    // Else they stay, since another process may hold them.
    unlessRefused(() => withHolders(holders => unneeded.forEach(each => removeIfOurs(each, holders))), undefined)
  }
}

interface Placeholder {
  path: string
  kind: 'directory' | 'file'
}

/** @returns false where something is there already, or nothing can be made: then a command cannot make it either */
function hold(place: Placeholder, holders: Holders | undefined): boolean {
  const { path } = place
  const held = needed.get(path) ?? take(place, holders)
  if (held === undefined) return false
  needed.set(path, { ...held, count: held.count + 1 })
  return true
}

function take(place: Placeholder, holders: Holders | undefined): Held | undefined {
  const { path } = place
  const others = holders?.others(path) ?? []
  if (!make(place)) {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined || !isEmptyOne(place)) return undefined
    // One that a process left behind when it died is as good as new; one that nobody has marked is the user's.
    const owner = ownerOf(stats)
    if (others.length === 0 && owner === undefined) return undefined
    if (others.length === 0 && !isFree(owner)) return { count: 0, isForeign: true }
  }
  orNothing(() => holders?.add(path), undefined)
  if (others.length === 0) own(path, process.pid)
  return { count: 0, isForeign: false }
}

/** The caller needs it no longer. @returns whether it was the last of this process, and it is not someone else's */
function isNoLongerNeeded({ path }: Placeholder): boolean {
  const held = needed.get(path)
  if (held === undefined) return false
  if (held.count > 1) needed.set(path, { ...held, count: held.count - 1 })
  else needed.delete(path)
  return held.count <= 1 && !held.isForeign
}

function removeIfOurs({ path, kind }: Placeholder, holders: Holders | undefined): void {
  holders?.remove(path)
  const [other] = holders?.others(path) ?? []
  if (other !== undefined) own(path, other)
  else if (isFree(ownerOf(lstatSync(path, { throwIfNoEntry: false })))) removeIfEmpty(path, kind)
}

/** @returns false where something is there already, or nothing can be made */
export function make({ path, kind }: Placeholder, content = ''): boolean {
  return orNothing(() => {
    if (kind === 'directory') mkdirSync(path)
    else writeFileSync(path, content, { flag: 'wx' })
    return true
  }, false)
}

/** Marks what a process makes for a while by its time of change. */
export function own(path: string, pid: number): void {
  const seconds = OWNED_SINCE + pid
  // Where that fails it is in nobody's way: it only stays if this process is killed.
  orNothing(() => utimesSync(path, seconds, seconds), undefined)
}

function isEmptyOne({ path, kind }: Placeholder): boolean {
  return orNothing(() => {
    const stats = lstatSync(path)
    return kind === 'directory' ? stats.isDirectory() && readdirSync(path).length === 0
      : stats.isFile() && stats.size === 0
  }, false)
}

/** Whether it was made by a process that is gone. */
export function isLeftBehind(stats: Stats): boolean {
  const owner = ownerOf(stats)
  return owner !== undefined && owner !== process.pid && !isRunning(owner)
}

/** The process that has marked it. */
function ownerOf(stats: Stats | undefined): number | undefined {
  const pid = (stats?.mtimeMs ?? 0) / 1000 - OWNED_SINCE
  return Number.isInteger(pid) && pid >= 1 && pid <= LARGEST_PID ? pid : undefined
}

/** Not another living process's. */
function isFree(owner: number | undefined): boolean {
  return owner === undefined || owner === process.pid || !isRunning(owner)
}

function removeIfEmpty(path: string, kind: 'directory' | 'file'): void {
  // Someone may have put something there, or removed it.
  orNothing(() => {
    if (kind === 'directory') rmdirSync(path)
    else if (statSync(path).size === 0) unlinkSync(path)
  }, undefined)
}

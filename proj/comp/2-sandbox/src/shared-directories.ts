import { statSync } from 'node:fs'
import { orNothing } from '../../0-contracts/src/index.js'
import { isInside } from '../../2-files/src/index.js'
import { inOrder, shownFrom, type Mount } from './mounts.js'

/** Where the holder of the namespaces keeps what commands share. No command finds this name. */
export const SHARED = '/.hermes-shared'
/** What the holder has of the machine whatever is shown: bubblewrap cannot make a sandbox without. */
const MACHINE = ['/proc', '/dev']
/** Of what only leads to something else. */
const PIN_BYTES = 2 ** 30

/** A directory in memory that all commands of a task find at the same place. */
export interface SharedDirectory {
  at: string
  /** Where the holder has it. */
  from: string
  bytes: number
  /**
   * Names in it at which every command has a mount. What is mounted can be neither renamed nor removed: else a command
   * could put a link there, and the mounts of the next one would follow it.
   */
  pins: readonly string[]
}

/**
 * What commands with these mounts can share.
 *
 * @param places directories in memory, if they are that
 */
export function sharedDirectories(places: readonly string[], mounts: readonly Mount[]): SharedDirectory[] {
  return [...new Set(places)].flatMap((at, index): SharedDirectory[] => {
    const memory = memoryAt(mounts, at)
    if (memory === undefined) return []
    const pins = namesIn(at, mounts)
    const canBePinned = pins.every(name => mounts.filter(mount => mount.at === `${at}/${name}`).every(isDirectory))
    return canBePinned ? [{ at, from: `${SHARED}/${index}`, bytes: memory.bytes, pins }] : []
  })
}

/**
 * The mounts of one command, with what is shared in its place. A directory in which it would have a mount that others
 * have not is its own, as without sharing.
 */
export function withShared(mounts: readonly Mount[], directories: readonly SharedDirectory[]): Mount[] {
  const shared = directories.filter(({ at, pins }) => (
    memoryAt(mounts, at) !== undefined && namesIn(at, mounts).every(name => pins.includes(name))
  ))
  const isMounted = (path: string): boolean => mounts.some(({ at }) => at === path)
  return [
    ...mounts.filter(({ at, kind }) => kind !== 'memory' || !shared.some(sharedDirectory => sharedDirectory.at === at)),
    ...shared.map(({ at, from }): Mount => ({ kind: 'write', at, from })),
    ...shared.flatMap(({ at, pins }) => pins.map(name => `${at}/${name}`)).filter(path => !isMounted(path))
      .map((at): Mount => ({ kind: 'memory', at, bytes: PIN_BYTES })),
  ]
}

/**
 * What the holder of the namespaces has: the sources of the mounts, where they are outside, and nothing else. Whatever
 * a command reached through it would be no more than what it finds anyway.
 */
export function holderMounts(mounts: readonly Mount[]): Mount[] {
  return mounts.flatMap((mount): Mount[] => {
    if (mount.kind === 'read' || mount.kind === 'write') {
      return isOfMachine(mount.from) ? [] : [{ ...mount, at: mount.from }]
    }
    // `/bin` and the like.
    return mount.kind === 'link' && mount.at.lastIndexOf('/') === 0 ? [mount] : []
  })
}

/** Whether the holder has all that the mounts of a command show. */
export function holds(holder: readonly Mount[], mounts: readonly Mount[]): boolean {
  const ordered = inOrder(holder)
  return mounts.every(mount => {
    if (mount.kind !== 'read' && mount.kind !== 'write') return true
    const { from } = mount
    if (isInside(SHARED, from) || isOfMachine(from)) return true
    const innermost = ordered.findLast(({ at }) => isInside(at, from))
    return shownFrom(holder, from) === from && (mount.kind === 'read' || innermost?.kind === 'write')
  })
}

function isOfMachine(path: string): boolean {
  return MACHINE.some(directory => isInside(directory, path))
}

/** The directory in memory at a path, where nothing else is mounted on it. */
function memoryAt(mounts: readonly Mount[], path: string): (Mount & { kind: 'memory' }) | undefined {
  const last = mounts.findLast(({ at }) => at === path)
  return last?.kind === 'memory' ? last : undefined
}

/** The names in a directory that are mounts, or lead to some. */
function namesIn(directory: string, mounts: readonly Mount[]): string[] {
  const below = mounts.filter(({ at }) => at !== directory && isInside(directory, at))
  return [...new Set(below.map(({ at }) => at.slice(directory.length + 1).split('/')[0] ?? ''))]
}

function isDirectory(mount: Mount): boolean {
  if (mount.kind === 'memory') return true
  if (mount.kind !== 'read' && mount.kind !== 'write') return false
  return orNothing(() => statSync(mount.from).isDirectory(), false)
}

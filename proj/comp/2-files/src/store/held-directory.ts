import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { setImmediate } from 'node:timers'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { diskPath, readLink } from '../disk-path.js'
import { named } from './held-errors.js'
import { ifExists } from './if-exists.js'
import { fileError } from './node-errors.js'

/** Holds a place without a right to read it; the same number on every Linux that Node runs on. */
const O_PATH = 0o10000000
const DIRECTORY_FLAGS = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * Acts on a name in the directory that the gate approved, though another process puts links in the way meanwhile: the
 * directory is opened, what was opened is compared with the approved path, and `held` leads to it through
 * `/proc/self/fd`, whatever becomes of the path. Elsewhere than on Linux there is no such name, nor `openat`: the path
 * is looked at before and after, and `held` is the path itself.
 *
 * @param path canonical
 * @param syscall that failures name
 * @param act gets the path to use; of its last name a link is still its own to refuse
 * @throws HermesError `POLICY_DENIED` where the path no longer leads to that directory; Node's errors; all that `act`
 *   throws, with `path` in place of `held`
 */
export function inParent<T>(path: string, syscall: string, act: (held: string) => T): T {
  return hold(dirname(path), path, syscall, (directory) => act(directory + sep + basename(path)))
}

/** As `inParent`, for the directory itself. */
export function inDirectory<T>(path: string, syscall: string, act: (held: string) => T): T {
  return hold(path, path, syscall, act)
}

/** As `inDirectory`, for a directory in a held one. @throws Node's errors, `ENOTDIR` for a link */
export function inHeldDirectory<T>(held: string, act: (held: string) => T): T {
  if (!canHold()) return act(held)
  const fd = openSync(diskPath(held), DIRECTORY_FLAGS)
  return closing(fd, () => named(nameOf(fd), held, act))
}

/**
 * Changes the permission bits of a file or directory in a held one.
 *
 * @param path as the caller knows it
 * @throws Node's errors, `ELOOP` for a link
 */
export function changeMode(held: string, mode: number, path: string): void {
  if (lstatSync(diskPath(held)).isSymbolicLink()) throw fileError('ELOOP', 'chmod', path)
  if (!canHold()) return chmodSync(held, mode)
  const fd = openSync(diskPath(held), O_PATH | constants.O_NOFOLLOW)
  return closing(fd, () => {
    if (fstatSync(fd).isSymbolicLink()) throw fileError('ELOOP', 'chmod', path)
    chmodSync(nameOf(fd), mode)
  })
}

function hold<T>(directory: string, path: string, syscall: string, act: (held: string) => T): T {
  if (!canHold()) return watched(directory, path, () => act(directory))
  const fd = takeKept(directory) ?? openDirectory(directory, path, syscall)
  if (typeof fd !== 'number') return closing(fd.byNames, () => named(nameOf(fd.byNames), directory, act))
  try {
    return named(nameOf(fd), directory, act)
  } finally {
    keep(fd, directory)
  }
}

/**
 * The directory that was held last: what a block does to a file mostly comes in a row, and the blocks after it often go
 * to the same place. It is compared with its path at each use, and closed when the event loop has its turn, so that it
 * is not held while anything is waited for.
 */
let kept: { fd: number; directory: string } | undefined
let isClosing = false

function takeKept(directory: string): number | undefined {
  if (!kept) return undefined
  const { fd, directory: place } = kept
  kept = undefined
  if (place === directory && isAt(fd, directory)) return fd
  closeSync(fd)
  return undefined
}

function keep(fd: number, directory: string): void {
  // Another was held while this one was in use.
  closeKept()
  kept = { fd, directory }
  if (isClosing) return
  isClosing = true
  setImmediate(() => {
    isClosing = false
    closeKept()
  })
}

function closeKept(): void {
  if (!kept) return
  const { fd } = kept
  kept = undefined
  closeSync(fd)
}

/** @returns what was opened; `byNames` where the system spells its path otherwise */
function openDirectory(directory: string, path: string, syscall: string): number | { byNames: number } {
  let fd: number
  try {
    fd = openSync(diskPath(directory), DIRECTORY_FLAGS)
  } catch (error) {
    if (!isNodeError(error)) throw error
    const isLink = error.code === 'ENOTDIR' && ifExists(() => lstatSync(diskPath(directory)))?.isSymbolicLink()
    throw isLink ? leadsElsewhere(path) : fileError(error.code, syscall, path)
  }
  if (isAt(fd, directory)) return fd
  closeSync(fd)
  // Where case does not count, the system may spell the same place differently: then each name is opened by itself.
  return { byNames: openByNames(directory, path) }
}

function isAt(fd: number, directory: string): boolean {
  try {
    return readLink(nameOf(fd)) === directory
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

/** The directory by way of no link, or not at all. */
function openByNames(directory: string, path: string): number {
  let fd = openSync(sep, DIRECTORY_FLAGS)
  for (const name of directory.split(sep).filter((one) => one !== '')) {
    const parent = fd
    try {
      fd = openSync(diskPath(join(nameOf(parent), name)), DIRECTORY_FLAGS)
    } catch (error) {
      if (isNodeError(error)) throw leadsElsewhere(path)
      throw error
    } finally {
      closeSync(parent)
    }
  }
  return fd
}

/** A look before keeps most from happening, the one after keeps from the model what was read elsewhere. */
function watched<T>(directory: string, path: string, act: () => T): T {
  const isThere = (): boolean => ifExists(() => realpathSync.native(directory)) === directory
  // A directory that is missing is for `act` to find out.
  if (!isThere() && ifExists(() => realpathSync.native(directory)) !== undefined) throw leadsElsewhere(path)
  const result = act()
  if (!isThere()) throw leadsElsewhere(path)
  return result
}

let holds: boolean | undefined

/** Whether open directories have names: Linux with `/proc`. */
function canHold(): boolean {
  holds ??= process.platform === 'linux' && probe()
  return holds
}

function probe(): boolean {
  const fd = openSync(sep, DIRECTORY_FLAGS)
  return closing(fd, () => ifExists(() => readLink(nameOf(fd))) === sep)
}

function nameOf(fd: number): string {
  return `/proc/self/fd/${fd}`
}

function closing<T>(fd: number, act: () => T): T {
  try {
    return act()
  } finally {
    closeSync(fd)
  }
}

function leadsElsewhere(path: string): HermesError {
  return new HermesError('POLICY_DENIED', `Path leads elsewhere than when it was checked: ${path}`, {
    hint: 'Another program put a link or another directory in its way. Nothing was read or written; look at it again.',
  })
}

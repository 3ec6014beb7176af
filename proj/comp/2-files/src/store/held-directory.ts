import { chmodSync, closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { setImmediate } from 'node:timers'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { closing, undoing } from '../descriptors.js'
import { diskPath, readLink } from '../disk-path.js'
import { ifExists } from './if-exists.js'
import { fileError } from './node-errors.js'

/** Opens a path without read permission; the same number on every Linux that Node supports. */
const O_PATH = 0o10000000
const DIRECTORY_FLAGS = O_PATH | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

/**
 * Acts on a name in the directory that the gate approved, even if another process meanwhile replaces directories by
 * links. The directory is opened and compared with the approved path; `held` then leads to it through `/proc/self/fd`,
 * whatever happens to the path. Outside Linux there is no such name and no `openat`: the path is checked before and
 * after, and `held` is the path itself.
 *
 * @param path absolute, links resolved
 * @param syscall to name in errors
 * @param act gets the path to use; it must itself refuse a link in the last component
 * @throws HermesError `POLICY_DENIED` where the path no longer leads to that directory; Node's errors; whatever `act`
 *   throws, with `path` in place of `held`
 */
export function inParent<T>(path: string, syscall: string, act: (held: string) => T): T {
  return hold(dirname(path), path, syscall, (directory) => act(directory + sep + basename(path)))
}

/** As `inParent`, for the directory itself. */
export function inDirectory<T>(path: string, syscall: string, act: (held: string) => T): T {
  return hold(path, path, syscall, act)
}

/**
 * As `inDirectory`, for a directory inside a held one.
 *
 * @throws Node's errors, `ENOTDIR` for a link
 */
export function inHeldDirectory<T>(held: string, act: (held: string) => T): T {
  if (!canHold()) return act(held)
  const fd = openSync(diskPath(held), DIRECTORY_FLAGS)
  return closing(fd, () => named(nameOf(fd), held, act))
}

/**
 * Changes the permission bits of a file or directory in a held directory.
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
 * The directory held last. Operations on one file usually come in a row, and the next blocks often use the same
 * directory. It is compared with its path at each use, and closed at the next turn of the event loop, so that it is
 * never held while waiting.
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
  // Another one was held while this one was in use.
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

/** @returns the descriptor; `byNames` where the system spells the path differently */
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
  // Where case is ignored, the system may spell the same place differently: then each name is opened on its own.
  return { byNames: openByNames(directory, path) }
}

function isAt(fd: number, directory: string): boolean {
  return undoing(() => readLink(nameOf(fd)) === directory, () => closeSync(fd))
}

/** Opens a directory name by name without following links, or fails. */
function openByNames(directory: string, path: string): number {
  let fd = openSync(sep, DIRECTORY_FLAGS)
  for (const name of directory.split(sep).filter((part) => part !== '')) {
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

/**
 * Checks the path before and after: the first prevents most attacks, the second keeps what was read elsewhere from the
 * model.
 */
function watched<T>(directory: string, path: string, act: () => T): T {
  const isThere = (): boolean => ifExists(() => realpathSync.native(directory)) === directory
  // `act` reports a missing directory.
  if (!isThere() && ifExists(() => realpathSync.native(directory)) !== undefined) throw leadsElsewhere(path)
  const result = act()
  if (!isThere()) throw leadsElsewhere(path)
  return result
}

let holds: boolean | undefined

/** Whether open directories have paths: Linux with `/proc`. */
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

function leadsElsewhere(path: string): HermesError {
  return new HermesError('POLICY_DENIED', `Path leads elsewhere than when it was checked: ${path}`, {
    hint: 'Another program put a link or another directory in its way. Nothing was read or written; look at it again.',
  })
}

/**
 * Acts on a held directory; failures name the path that the caller knows.
 *
 * @param held how the directory is reached
 */
function named<T>(held: string, directory: string, act: (held: string) => T): T {
  try {
    return act(held)
  } catch (error) {
    throw renamed(error, held, directory)
  }
}

function renamed(error: unknown, held: string, directory: string): unknown {
  const shown = (text: string): string => text.replaceAll(held + sep, directory === sep ? sep : directory + sep)
    .replaceAll(`'${held}'`, `'${directory}'`)
  if (error instanceof HermesError) {
    if (!`${error.message}${error.hint ?? ''}`.includes(held + sep)) return error
    const { code, message, hint, data, cause } = error
    return new HermesError(code, shown(message), { hint: hint === undefined ? undefined : shown(hint), data, cause })
  }
  if (!isNodeError(error)) return error
  error.message = shown(error.message)
  for (const key of ['path', 'dest'] as const) {
    const place = (error as { path?: string; dest?: string })[key]
    if (place !== undefined) Object.assign(error, { [key]: place === held ? directory : shown(place) })
  }
  return error
}

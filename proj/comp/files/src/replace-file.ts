import {
  accessSync, closeSync, constants, fchmodSync, fchownSync, fstatSync, lstatSync, openSync, renameSync, type Stats,
  unlinkSync,
} from 'node:fs'
import { HermesError, isNodeError, type WriteOutcome } from '../../contracts/src/index.js'
import { type Fill, fillWith } from './fill.js'
import { overwriteInPlace } from './overwrite-in-place.js'
import { inParent } from './held-directory.js'
import { requireRegular } from './regular-file.js'
import { tempBeside } from './temp-name.js'

/**
 * Writes a file so that every other process sees its old or its new content and nothing between: a temporary file
 * beside it, then rename. Mode is kept (without set-uid bits), owner and group where the system lets us; access
 * lists and extended attributes are not. A bind-mounted file, which cannot be renamed over, is written in place.
 */
export function replaceFile(path: string, content: string | Uint8Array): WriteOutcome {
  return replaceBy(path, fillWith(typeof content === 'string' ? Buffer.from(content, 'utf8') : content))
}

/**
 * As `replaceFile`, for content of any size.
 *
 * @param mode permission bits of the new file; by default those of the old one, or what the umask leaves
 */
export function replaceBy(path: string, fill: Fill, mode?: number): WriteOutcome {
  return inParent(path, 'open', (held) => replaceHeld(held, path, fill, mode))
}

/** @param held where `path` is reached */
function replaceHeld(held: string, path: string, fill: Fill, mode: number | undefined): WriteOutcome {
  const old = lstatSync(held, { throwIfNoEntry: false })
  if (old !== undefined) requireReplaceable(old, path, held)
  const temp = tempBeside(held)
  let bytes: number
  try {
    bytes = writeTemp(temp, fill, old, mode)
    renameSync(temp, held)
  } catch (error) {
    removeTemp(temp)
    if (!isNodeError(error)) throw error
    if (old === undefined || !CANNOT_RENAME.has(error.code)) throw aboutPath(error, temp, held)
    if (old.nlink > 1) throw cannotBreakLink(path)
    return { bytes: overwriteInPlace(held, fill), created: false, brokeHardLink: false }
  }
  return { bytes, created: old === undefined, brokeHardLink: old !== undefined && old.nlink > 1 }
}

/** Written in place, its other names would change too, wherever they are. */
function cannotBreakLink(path: string): HermesError {
  return new HermesError('POLICY_DENIED', `File has other names, which would change with it: ${path}`, {
    hint: 'It is mounted by itself, so that it cannot be replaced; ask the user to copy it.',
  })
}

const CANNOT_RENAME = new Set(['EBUSY', 'EXDEV'])

/**
 * A rename needs no permission on the file it replaces, but a write-protected file is meant to stay as it is.
 *
 * @param real where the file is on disk, if not at `path`
 * @throws `EACCES`, and all that `requireRegular` throws
 */
export function requireReplaceable(old: Stats, path: string, real = path): void {
  requireRegular(old, 'open', path)
  const isPlainlyOurs = (old.mode & 0o200) !== 0 && old.uid === process.geteuid?.()
  if (!isPlainlyOurs) accessSync(real, constants.W_OK)
}

const TEMP_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

function writeTemp(temp: string, fill: Fill, old: Stats | undefined, mode = old && old.mode & 0o777): number {
  // Never more open than the finished file, not even for a moment.
  const fd = openSync(temp, TEMP_FLAGS, mode ?? 0o666)
  try {
    const bytes = fill(fd)
    if (mode !== undefined) setOwnerAndMode(fd, old, mode)
    return bytes
  } finally {
    closeSync(fd)
  }
}

function setOwnerAndMode(fd: number, old: Stats | undefined, mode: number): void {
  const now = fstatSync(fd)
  if (old && now.uid !== old.uid) tryOwner(fd, old.uid, now.gid)
  if (old && now.gid !== old.gid) tryOwner(fd, fstatSync(fd).uid, old.gid)
  if (((now.mode ^ mode) & 0o777) !== 0) fchmodSync(fd, mode)
}

function tryOwner(fd: number, uid: number, gid: number): void {
  try {
    fchownSync(fd, uid, gid)
  } catch (error) {
    // Only root may give files away, and some file systems know no owners.
    if (!isNodeError(error) || !['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP'].includes(error.code)) throw error
  }
}

function removeTemp(temp: string): void {
  try {
    unlinkSync(temp)
  } catch (error) {
    // It may never have been made; the error that led here says more than this one.
    if (!isNodeError(error)) throw error
  }
}

/** Names the file the caller knows instead of the temporary one. */
function aboutPath(error: Error & { path?: string }, temp: string, path: string): Error {
  error.message = error.message.replaceAll(temp, path)
  if (error.path === temp) error.path = path
  return error
}

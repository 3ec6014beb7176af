import {
  closeSync, constants, fchmodSync, fchownSync, fstatSync, openSync, renameSync, type Stats, unlinkSync,
} from 'node:fs'
import { isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { diskPath } from '../disk-path.js'
import { tempBeside } from './temp-beside.js'

export interface Replacement<T> {
  /** Permission bits of the temporary file while it is written. */
  mode: number
  /** Writes all that the file is to hold; what it returns is returned. */
  fill: (descriptor: number) => T
  /** Called at the last moment; where it throws, the file stays as it is. */
  check?: () => void
}

/** Never follows what somebody put in the place of a temporary file. */
export const TEMP_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/**
 * Puts a file in the place of whatever is at `file`, in one step: others see what was there or all of what is new. A
 * link is replaced, not followed. Nothing else is left, whatever fails.
 *
 * @throws what `fill` and `check` throw, and Node's errors, which name `file`; then it is as it was
 */
export function replaceByTemp<T>(file: string, { mode, fill, check }: Replacement<T>): T {
  const temp = tempBeside(file)
  try {
    const result = filled(openSync(temp, TEMP_FLAGS, mode), fill)
    check?.()
    renameSync(temp, diskPath(file))
    return result
  } catch (error) {
    // It may never have been made; the error that led here says more than another one.
    orNothing(() => unlinkSync(temp), undefined)
    throw aboutFile(error, temp, file)
  }
}

function filled<T>(descriptor: number, fill: (descriptor: number) => T): T {
  try {
    return fill(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Owner and group as far as the system lets us, then the mode, which a change of owner would cut. */
export function keepOwnerAndMode(fd: number, old: Pick<Stats, 'uid' | 'gid'> | undefined, mode: number): void {
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

/** Names the file the caller knows instead of the temporary one. */
export function aboutFile(error: unknown, temp: string, file: string): unknown {
  if (!isNodeError(error)) return error
  error.message = error.message.replaceAll(temp, file)
  if (error.path === temp) error.path = file
  return error
}

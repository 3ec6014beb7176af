import { constants, fchmodSync, fchownSync, fstatSync, openSync, renameSync, type Stats, unlinkSync } from 'node:fs'
import { isNodeError, orNothing, unlessCode } from '../../../0-contracts/src/index.js'
import { closing } from '../descriptors.js'
import { diskPath } from '../disk-path.js'
import { tempBeside } from './temp-beside.js'

export interface Replacement<T> {
  /** Permission bits of the temporary file. */
  mode: number
  /** Writes the whole content; its result is returned. */
  fill: (descriptor: number) => T
  /** Called right before the replacement; where it throws, the file stays as it is. */
  check?: () => void
}

/** Flags that never follow a link in the place of the temporary file. */
export const TEMP_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

/**
 * Replaces whatever is at `file` in one step: other processes see the old or the whole new content. A link is replaced,
 * not followed. Leaves nothing else behind, whatever fails.
 *
 * @throws what `fill` and `check` throw, and Node's errors with the path `file`; then nothing has changed
 */
export function replaceByTemp<T>(file: string, { mode, fill, check }: Replacement<T>): T {
  const temp = tempBeside(file)
  try {
    const result = closing(openSync(temp, TEMP_FLAGS, mode), fill)
    check?.()
    renameSync(temp, diskPath(file))
    return result
  } catch (error) {
    // The temporary file may not exist; the original error matters more.
    orNothing(() => unlinkSync(temp), undefined)
    throw aboutFile(error, temp, file)
  }
}

/** Sets owner and group where permitted, then the mode, since changing the owner clears mode bits. */
export function keepOwnerAndMode(fd: number, old: Pick<Stats, 'uid' | 'gid'> | undefined, mode: number): void {
  const now = fstatSync(fd)
  if (old && now.uid !== old.uid) tryOwner(fd, old.uid, now.gid)
  if (old && now.gid !== old.gid) tryOwner(fd, fstatSync(fd).uid, old.gid)
  if (((now.mode ^ mode) & 0o777) !== 0) fchmodSync(fd, mode)
}

function tryOwner(fd: number, uid: number, gid: number): void {
  unlessCode(CANNOT_GIVE_AWAY, () => fchownSync(fd, uid, gid), undefined)
}

/** Only root may give files away, and some file systems have no owners. */
export const CANNOT_GIVE_AWAY = ['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP']

/** Replaces the temporary path in an error by the path that the caller knows. */
export function aboutFile(error: unknown, temp: string, file: string): unknown {
  if (!isNodeError(error)) return error
  error.message = error.message.replaceAll(temp, file)
  if (error.path === temp) error.path = file
  return error
}

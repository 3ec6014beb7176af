import {
  accessSync, chmodSync, closeSync, constants, copyFileSync, lchownSync, lstatSync, mkdirSync, openSync, readdirSync,
  readlinkSync, readSync, renameSync, rmSync, type Stats, symlinkSync, unlinkSync, utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { requireRegular } from './regular-file.js'
import { tempBeside } from './temp-name.js'

/** Renames a file, link or directory; to another device it copies, compares, and only then removes. */
export function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'EXDEV') throw atItsCause(error, from, to)
    moveAcrossDevices(from, to)
    return
  }
  removeSecondName(from, to)
}

/** Rename names the old path first; where it is the new one's directory that may not be changed, that one is meant. */
function atItsCause(error: unknown, from: string, to: string): unknown {
  if (!isNodeError(error) || (error.code !== 'EACCES' && error.code !== 'EPERM')) return error
  try {
    accessSync(dirname(from), constants.W_OK | constants.X_OK)
  } catch (denied) {
    if (isNodeError(denied)) return error
    throw denied
  }
  return Object.assign(error, { path: to })
}

/** Where both were names of one file, rename does nothing; a move still means that the old name goes. */
function removeSecondName(from: string, to: string): void {
  // A file system that ignores case shows the new name under the old one too.
  if (from.toLowerCase() === to.toLowerCase()) return
  const left = lstatSync(from, { throwIfNoEntry: false })
  if (left !== undefined && left.nlink > 1 && left.ino === lstatSync(to).ino) unlinkSync(from)
}

function moveAcrossDevices(from: string, to: string): void {
  // Asked first: otherwise a failed removal would leave both.
  accessSync(dirname(from), constants.W_OK)
  const temp = tempBeside(to)
  try {
    copyTree(from, temp)
    renameSync(temp, to)
  } catch (error) {
    rmSync(temp, { recursive: true, force: true })
    throw error
  }
  rmSync(from, { recursive: true })
}

/** Copies with modes, times and, where allowed, owners; `to` must not exist. */
function copyTree(from: string, to: string): void {
  const stats = lstatSync(from)
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(from, 'buffer'), to)
    keepsOwner(to, stats)
    return
  }
  if (stats.isDirectory()) {
    mkdirSync(to, 0o700)
    for (const name of readdirSync(from)) copyTree(join(from, name), join(to, name))
  } else {
    requireRegular(stats, 'copyfile', from)
    copyFileSync(from, to, constants.COPYFILE_EXCL)
    requireSameContent(from, to)
  }
  // Set-uid bits mean something only together with the owner.
  chmodSync(to, stats.mode & (keepsOwner(to, stats) ? 0o7777 : 0o1777))
  utimesSync(to, stats.atime, stats.mtime)
}

function keepsOwner(path: string, { uid, gid }: Stats): boolean {
  const now = lstatSync(path)
  if (now.uid === uid && now.gid === gid) return true
  try {
    lchownSync(path, uid, gid)
    return true
  } catch (error) {
    // Only root may give files away.
    if (!isNodeError(error) || !['EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP'].includes(error.code)) throw error
    return false
  }
}

function requireSameContent(from: string, to: string): void {
  const fds = [openSync(from, constants.O_RDONLY)]
  try {
    fds.push(openSync(to, constants.O_RDONLY))
    const buffers = fds.map(() => Buffer.allocUnsafe(1 << 18))
    for (;;) {
      const [left, right] = fds.map((fd, i) => buffers[i]?.subarray(0, readSync(fd, buffers[i] as Buffer)))
      if (left === undefined || right === undefined || !left.equals(right)) throw changedMeanwhile(from)
      if (left.length === 0) return
    }
  } finally {
    for (const fd of fds) closeSync(fd)
  }
}

function changedMeanwhile(from: string): HermesError {
  return new HermesError('CHANGED_ON_DISK', `The file changed while it was copied: ${from}`, {
    hint: 'Nothing was moved. Try again when no other program writes to it.',
  })
}

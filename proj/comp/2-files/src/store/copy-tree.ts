import {
  constants, fchmodSync, fchownSync, fstatSync, futimesSync, lchownSync, lstatSync, mkdirSync, openSync, readdirSync,
  readlinkSync, type Stats, symlinkSync,
} from 'node:fs'
import { sep } from 'node:path'
import { CANNOT_GIVE_AWAY, fillFrom } from '../atomic-write/index.js'
import { HermesError, unlessCode } from '../../../0-contracts/src/index.js'
import { closing, readWhole } from '../descriptors.js'
import { inHeldDirectory } from './held-directory.js'
import { openHeld } from './regular-file.js'

/**
 * Copies a file, link or directory with modes, times and, where permitted, owners, and compares the copy.
 *
 * @param from in a held directory; `to` likewise, and must not exist
 * @param shown `from` as the caller knows it
 */
export function copyTree(from: string, to: string, shown: string): void {
  const stats = lstatSync(from)
  if (stats.isSymbolicLink()) {
    symlinkSync(readlinkSync(from, 'buffer'), to)
    mayKeepOwner(lstatSync(to), stats, (uid, gid) => lchownSync(to, uid, gid))
  } else if (stats.isDirectory()) copyDirectory(from, to, stats, shown)
  else copyRegular(from, to, shown)
}

function copyDirectory(from: string, to: string, stats: Stats, shown: string): void {
  mkdirSync(to, 0o700)
  const fd = openSync(to, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0))
  closing(fd, () => {
    inHeldDirectory(from, (source) => inHeldDirectory(to, (target) => {
      for (const name of readdirSync(source)) copyTree(source + sep + name, target + sep + name, shown + sep + name)
    }))
    keepAttributes(fd, stats)
  })
}

const NEW_FILE = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

function copyRegular(from: string, to: string, shown: string): void {
  const { fd: source, size } = openHeld(from, shown)
  closing(source, () => closing(openSync(to, NEW_FILE, 0o600), (target) => {
    fillFrom(source, size)(target)
    requireSameContent(source, target, shown)
    keepAttributes(target, fstatSync(source))
  }))
}

/** Keeps set-uid bits only together with the owner. */
function keepAttributes(fd: number, stats: Stats): void {
  const keepsOwner = mayKeepOwner(fstatSync(fd), stats, (uid, gid) => fchownSync(fd, uid, gid))
  fchmodSync(fd, stats.mode & (keepsOwner ? 0o7777 : 0o1777))
  futimesSync(fd, stats.atime, stats.mtime)
}

function mayKeepOwner(now: Stats, { uid, gid }: Stats, change: (uid: number, gid: number) => void): boolean {
  if (now.uid === uid && now.gid === gid) return true
  return unlessCode(CANNOT_GIVE_AWAY, () => {
    change(uid, gid)
    return true
  }, false)
}

function requireSameContent(source: number, target: number, shown: string): void {
  const [left, right] = [Buffer.allocUnsafe(1 << 18), Buffer.allocUnsafe(1 << 18)]
  for (let at = 0; ;) {
    const count = readWhole(source, left, at)
    const other = readWhole(target, right.subarray(0, Math.max(count, 1)), at)
    if (count !== other || !left.subarray(0, count).equals(right.subarray(0, other))) {
      throw new HermesError('CHANGED_ON_DISK', `The file changed while it was copied: ${shown}`, {
        hint: 'Nothing was moved. Try again when no other program writes to it.',
      })
    }
    if (count === 0) return
    at += count
  }
}

import { fsyncSync, lstatSync, statSync, type Stats, writeFileSync } from 'node:fs'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { fillWith } from './fill.js'
import { linkTarget } from './link-target.js'
import { overwriteInPlace } from './overwrite-in-place.js'
import { keepOwnerAndMode, replaceByTemp } from './replace-by-temp.js'

export interface WholeOptions {
  /** Permission bits of a file that is not there yet. Default: what the umask leaves. */
  mode?: number | undefined
  /**
   * A file that cannot be replaced (it is mounted by itself, its directory may not be written) is written in place, and
   * put back where that fails. Default: that is an error.
   */
  orInPlace?: boolean
  /** The path leads through no link and to no pipe or device, as its caller has looked at: none is followed then. */
  isTarget?: boolean
}

/** Why a file that may itself be written cannot be replaced. */
const NOT_REPLACEABLE = new Set(['EBUSY', 'EXDEV', 'EACCES', 'EPERM', 'EROFS'])

/**
 * Writes a file of the user's as a whole or not at all; it is on the disk when this returns. A link keeps standing,
 * and what it leads to is replaced, with its mode, and its owner where the system lets us. Pipes and devices are
 * written to.
 *
 * @throws Node's errors; then it is as it was, and no other file is left
 */
export function writeWhole(file: string, content: string | Uint8Array, options: WholeOptions = {}): void {
  if (!options.isTarget && isNoFile(file)) {
    writeFileSync(file, content)
    return
  }
  const target = options.isTarget ? file : linkTarget(file)
  const found = lstatSync(target, { throwIfNoEntry: false })
  const old = found?.isSymbolicLink() === true ? undefined : found
  const fill = fillWith(bytesOf(content))
  try {
    replaceByTemp(target, {
      mode: modeOf(old) ?? options.mode ?? 0o666,
      fill(descriptor) {
        fill(descriptor)
        const mode = modeOf(old)
        if (mode !== undefined) keepOwnerAndMode(descriptor, old, mode)
        fsyncSync(descriptor)
      },
    })
  } catch (error) {
    if (!options.orInPlace || !old || !isNodeError(error) || !NOT_REPLACEABLE.has(error.code)) throw error
    overwriteInPlace(target, fill)
  }
}

/**
 * Writes a file of hermes' own as a whole or not at all, whatever is there: always with these permission bits, and in
 * the place of a link, not through it.
 *
 * @param mode default: for its owner alone
 * @param isDurable whether it is on the disk when this returns. Default: yes
 * @throws Node's errors; then it is as it was, and no other file is left
 */
export function writeOwn(
  file: string, content: string | Uint8Array,
  { mode = 0o600, isDurable = true }: { mode?: number; isDurable?: boolean } = {},
): void {
  const fill = fillWith(bytesOf(content))
  replaceByTemp(file, {
    mode,
    fill(descriptor) {
      fill(descriptor)
      keepOwnerAndMode(descriptor, undefined, mode)
      if (isDurable) fsyncSync(descriptor)
    },
  })
}

/** What is written to as it is. Asked before links are followed: that of a pipe (`/dev/stdout`) leads to no path. */
export function isNoFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === false
}

function modeOf(stats: Stats | undefined): number | undefined {
  return stats && stats.mode & 0o777
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content
}

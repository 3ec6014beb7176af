import { fsyncSync, lstatSync, statSync, type Stats, writeFileSync } from 'node:fs'
import { isNodeError } from '../../../0-contracts/src/index.js'
import { fillWith } from './fill.js'
import { linkTarget } from './link-target.js'
import { overwriteInPlace } from './overwrite-in-place.js'
import { keepOwnerAndMode, replaceByTemp } from './replace-by-temp.js'

export interface WholeOptions {
  /** Permission bits of a new file. Default: as the umask has it. */
  mode?: number | undefined
  /**
   * Write in place if the file cannot be replaced (it is a mount point, or its directory is not writable), and restore
   * it on failure. Default: fail.
   */
  orInPlace?: boolean
  /** The caller has checked that the path has no link and is no pipe or device; no link is followed then. */
  isTarget?: boolean
}

/** Errors of replacing a file that itself may be writable. */
const NOT_REPLACEABLE = new Set(['EBUSY', 'EXDEV', 'EACCES', 'EPERM', 'EROFS'])

/**
 * Writes a file of the user's completely or not at all, and flushes it to disk. A link stays; its target is replaced,
 * with its mode, and its owner where permitted. Pipes and devices are written to.
 *
 * @throws Node's errors; then nothing has changed, and no other file is left
 */
export function writeWhole(file: string, content: string | Uint8Array, options: WholeOptions = {}): void {
  if (!options.isTarget && isNoFile(file)) {
    writeFileSync(file, content)
    return
  }
  const target = options.isTarget ? file : linkTarget(file)
  const stats = lstatSync(target, { throwIfNoEntry: false })
  const old = stats?.isSymbolicLink() === true ? undefined : stats
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
 * Writes a file of hermes' own completely or not at all, always with these permission bits; a link is replaced, not
 * followed.
 *
 * @param mode default: readable by its owner only
 * @param isDurable flush it to disk before returning. Default: true
 * @throws Node's errors; then nothing has changed, and no other file is left
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

/**
 * Whether a path is a pipe or device, to be written to directly. Checked before links are resolved, since `/dev/stdout`
 * may lead to no path.
 */
export function isNoFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === false
}

function modeOf(stats: Stats | undefined): number | undefined {
  return stats && stats.mode & 0o777
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : content
}

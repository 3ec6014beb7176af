import { accessSync, constants, lstatSync, type Stats } from 'node:fs'
import { type Fill, fillWith, keepOwnerAndMode, overwriteInPlace, replaceByTemp } from '../atomic-write/index.js'
import { HermesError, isNodeError, type WriteOutcome } from '../../../0-contracts/src/index.js'
import { diskPath } from '../disk-path.js'
import { inParent } from './held-directory.js'
import { requireRegular } from './regular-file.js'

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
  const old = lstatSync(diskPath(held), { throwIfNoEntry: false })
  if (old !== undefined) requireReplaceable(old, path, held)
  const bits = mode ?? (old && old.mode & 0o777)
  try {
    const bytes = replaceByTemp(held, {
      // Never more open than the finished file, not even for a moment.
      mode: bits ?? 0o666,
      fill(fd) {
        const filled = fill(fd)
        if (bits !== undefined) keepOwnerAndMode(fd, old, bits)
        return filled
      },
    })
    return { bytes, created: old === undefined, brokeHardLink: old !== undefined && old.nlink > 1 }
  } catch (error) {
    if (!isNodeError(error) || old === undefined || !CANNOT_RENAME.has(error.code)) throw error
    if (old.nlink > 1) throw cannotBreakLink(path)
    const bytes = overwriteInPlace(held, fill, (stats) => requireRegular(stats, 'open', path))
    return { bytes, created: false, brokeHardLink: false }
  }
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
  if (!isPlainlyOurs) accessSync(diskPath(real), constants.W_OK)
}

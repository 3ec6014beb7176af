import { accessSync, constants, lstatSync, type Stats } from 'node:fs'
import { type Fill, fillWith, keepOwnerAndMode, overwriteInPlace, replaceByTemp } from '../atomic-write/index.js'
import { HermesError, isNodeError, type WriteOutcome } from '../../../0-contracts/src/index.js'
import { diskPath } from '../disk-path.js'
import { inParent } from './held-directory.js'
import { requireRegular } from './regular-file.js'

/**
 * Writes a file so that other processes see either its old or its new content: a temporary file beside it, then rename.
 * Keeps the mode (without set-uid bits), and owner and group where permitted; loses access lists and extended
 * attributes. A bind-mounted file, which rename cannot replace, is written in place.
 */
export function replaceFile(path: string, content: string | Uint8Array): WriteOutcome {
  return replaceBy(path, fillWith(typeof content === 'string' ? Buffer.from(content, 'utf8') : content))
}

/**
 * As `replaceFile`, for content of any size.
 *
 * @param mode permission bits of the new file; default: those of the old one, or as the umask has it
 */
export function replaceBy(path: string, fill: Fill, mode?: number): WriteOutcome {
  return inParent(path, 'open', (held) => replaceHeld(held, path, fill, mode))
}

/** @param held path by which `path` is reached */
function replaceHeld(held: string, path: string, fill: Fill, mode: number | undefined): WriteOutcome {
  const old = lstatSync(diskPath(held), { throwIfNoEntry: false })
  if (old !== undefined) requireReplaceable(old, path, held)
  const bits = mode ?? (old && old.mode & 0o777)
  try {
    const bytes = replaceByTemp(held, {
      // Never more permissive than the finished file, even for a moment.
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
    // An in-place write would also change the file's other names, wherever they are.
    if (old.nlink > 1) {
      throw new HermesError('POLICY_DENIED', `File has other names, which would change with it: ${path}`, {
        hint: 'It is mounted by itself, so that it cannot be replaced; ask the user to copy it.',
      })
    }
    const bytes = overwriteInPlace(held, fill, (stats) => requireRegular(stats, 'open', path))
    return { bytes, created: false, brokeHardLink: false }
  }
}

const CANNOT_RENAME = new Set(['EBUSY', 'EXDEV'])

/**
 * Refuses write-protected files, although rename needs no permission on the file that it replaces.
 *
 * @param real where the file is on disk, if not at `path`
 * @throws `EACCES`, and whatever `requireRegular` throws
 */
export function requireReplaceable(old: Stats, path: string, real = path): void {
  requireRegular(old, 'open', path)
  const isPlainlyOurs = (old.mode & 0o200) !== 0 && old.uid === process.geteuid?.()
  if (!isPlainlyOurs) accessSync(diskPath(real), constants.W_OK)
}

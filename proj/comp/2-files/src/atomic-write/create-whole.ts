import { fsyncSync, linkSync, openSync, rmSync, unlinkSync } from 'node:fs'
import { isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { closing } from '../descriptors.js'
import { fillWith } from './fill.js'
import { aboutFile, TEMP_FLAGS } from './replace-by-temp.js'
import { tempBeside } from './temp-beside.js'

/** Errors of file systems without hard links: FAT, network shares, FUSE, Termux's home, Windows. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES', 'EISDIR'])

export interface CreateOptions {
  /** Permission bits before the umask. Default 0o666. */
  mode?: number
  /** Path of the temporary file, in the same directory; gone afterwards. Default: a fresh name. */
  temporary?: string
  /** Flush the content to disk before the file appears. Default true. */
  flush?: boolean
}

/**
 * Creates a new file completely or not at all; of several processes only one succeeds. Where the file system has no
 * hard links, the file is created empty and then filled; until then the temporary file exists.
 *
 * @throws `EEXIST` where anything exists, even a dangling link; Node's other errors. Then nothing is left
 */
export function createWhole(
  file: string, content: string | Uint8Array,
  { mode = 0o666, temporary: temp = tempBeside(file), flush = true }: CreateOptions = {},
): void {
  try {
    written(temp, content, mode, flush)
    linkSync(temp, file)
  } catch (error) {
    if (!isNodeError(error) || !NO_LINKS.has(error.code) || error.syscall !== 'link') throw aboutFile(error, temp, file)
    createDirectly(file, content, mode, flush)
  } finally {
    orNothing(() => unlinkSync(temp), undefined)
  }
}

/** Creates the file directly, the only way without links that replaces nothing; a crash leaves a part of it. */
function createDirectly(file: string, content: string | Uint8Array, mode: number, flush: boolean): void {
  try {
    written(file, content, mode, flush)
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'EEXIST') rmSync(file, { force: true })
    throw error
  }
}

function written(file: string, content: string | Uint8Array, mode: number, flush: boolean): void {
  closing(openSync(file, TEMP_FLAGS, mode), (descriptor) => {
    fillWith(typeof content === 'string' ? Buffer.from(content) : content)(descriptor)
    if (flush) fsyncSync(descriptor)
  })
}

import { closeSync, fsyncSync, linkSync, openSync, rmSync, unlinkSync } from 'node:fs'
import { isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { fillWith } from './fill.js'
import { aboutFile, TEMP_FLAGS } from './replace-by-temp.js'
import { tempBeside } from './temp-beside.js'

/** What file systems without hard links say: FAT, network shares, FUSE, the home of Termux, Windows. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES', 'EISDIR'])

export interface CreateOptions {
  /** Permission bits, of which the umask takes its part. Default 0o666. */
  mode?: number
  /** The file that is filled first, in the same directory, and is gone afterwards. Default: a fresh name. */
  temporary?: string
  /** Whether it is on the disk before it is seen. Default true. */
  flush?: boolean
}

/**
 * Makes a file that is not there, as a whole or not at all; of any number of processes one makes it. Where the file
 * system knows no hard links it is made empty and then filled; the temporary file is there until it is.
 *
 * @throws `EEXIST` where anything is there, also a link that leads nowhere; Node's other errors. Then nothing is left
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

/** A crash half-way leaves a part of it; the only way to make a file and replace none without links. */
function createDirectly(file: string, content: string | Uint8Array, mode: number, flush: boolean): void {
  try {
    written(file, content, mode, flush)
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'EEXIST') rmSync(file, { force: true })
    throw error
  }
}

function written(file: string, content: string | Uint8Array, mode: number, flush: boolean): void {
  const descriptor = openSync(file, TEMP_FLAGS, mode)
  try {
    fillWith(typeof content === 'string' ? Buffer.from(content) : content)(descriptor)
    if (flush) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

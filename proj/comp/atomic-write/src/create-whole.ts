import { closeSync, fsyncSync, linkSync, openSync, rmSync, unlinkSync } from 'node:fs'
import { isNodeError, orNothing } from '../../contracts/src/index.js'
import { fillWith } from './fill.js'
import { aboutFile, TEMP_FLAGS } from './replace-by-temp.js'
import { tempBeside } from './temp-beside.js'

/** What file systems without second names say: FAT, network shares, FUSE, the home of Termux, Windows. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES', 'EISDIR'])

/**
 * Makes a file that is not there, as a whole or not at all; of any number of processes one makes it. It is on the disk
 * when this returns.
 *
 * @param mode of which the umask takes its part
 * @throws `EEXIST` where anything is there, also a link that leads nowhere; Node's other errors. Then nothing is left
 */
export function createWhole(file: string, content: string | Uint8Array, mode = 0o666): void {
  const temp = tempBeside(file)
  try {
    written(temp, content, mode)
    linkSync(temp, file)
  } catch (error) {
    if (!isNodeError(error) || !NO_LINKS.has(error.code) || error.syscall !== 'link') throw aboutFile(error, temp, file)
    createDirectly(file, content, mode)
  } finally {
    orNothing(() => unlinkSync(temp), undefined)
  }
}

/** A crash half-way leaves a part of it; the only way to make a file and replace none without links. */
function createDirectly(file: string, content: string | Uint8Array, mode: number): void {
  try {
    written(file, content, mode)
  } catch (error) {
    if (!isNodeError(error) || error.code !== 'EEXIST') rmSync(file, { force: true })
    throw error
  }
}

function written(file: string, content: string | Uint8Array, mode: number): void {
  const descriptor = openSync(file, TEMP_FLAGS, mode)
  try {
    fillWith(typeof content === 'string' ? Buffer.from(content) : content)(descriptor)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

import { randomUUID } from 'node:crypto'
import { closeSync, linkSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { isNodeError } from '../../contracts/src/index.js'
import { ifExists } from '../../files/src/index.js'

/** Only its owner reads it. */
const MODE = 0o600
/** What file systems without hard links say: FAT, network shares, FUSE, the home of Termux, Windows. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES', 'EISDIR']

export interface CreateOptions {
  /** The file that is filled first, in the same directory. It is gone afterwards. */
  temporary?: string
  /** Its content is on the disk before it is seen. Default false. */
  flush?: boolean
}

/**
 * Makes a file with its content in one step, for its owner alone: nobody sees it empty. Where the file system knows no
 * hard links it is made empty and then filled; the temporary file is there until it is.
 *
 * @returns false where something is at the path already
 * @throws Node's errors
 */
export function createWhole(
  path: string, text: string, { temporary = temporaryFor(path), flush = false }: CreateOptions = {},
): boolean {
  try {
    writeFileSync(temporary, text, { mode: MODE, flush })
    return isLinked(temporary, path) ?? isFilled(path, text, flush)
  } finally {
    ifExists(() => unlinkSync(temporary))
  }
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** How the name of a temporary file ends. */
export const TEMPORARY_SUFFIX = `\\.${UUID}`

function temporaryFor(path: string): string {
  return `${path}.${randomUUID()}`
}

/** @returns `undefined` where there are no links */
function isLinked(from: string, to: string): boolean | undefined {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (!isNodeError(error)) throw error
    if (error.code === 'EEXIST') return false
    if (NO_LINKS.includes(error.code)) return undefined
    throw error
  }
}

function isFilled(path: string, text: string, flush: boolean): boolean {
  let descriptor: number
  try {
    descriptor = openSync(path, 'wx', MODE)
  } catch (error) {
    if (isNodeError(error) && error.code === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(descriptor, text, { flush })
    return true
  } catch (error) {
    // The disk is full: one that stayed would keep everybody out.
    ifExists(() => unlinkSync(path))
    throw error
  } finally {
    closeSync(descriptor)
  }
}

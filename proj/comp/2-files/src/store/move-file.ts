import { accessSync, constants, lstatSync, renameSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { tempBeside } from '../atomic-write/index.js'
import { undoing } from '../descriptors.js'
import { isNodeError, orNothing } from '../../../0-contracts/src/index.js'
import { copyTree } from './copy-tree.js'
import { inParent } from './held-directory.js'
import { removeTree } from './remove-tree.js'

/** Renames a file, link or directory; to another device it copies, compares, and only then removes. */
export function moveFile(from: string, to: string): void {
  inParent(from, 'rename', (heldFrom) => inParent(to, 'rename', (heldTo) => {
    try {
      renameSync(heldFrom, heldTo)
    } catch (error) {
      if (!isNodeError(error) || error.code !== 'EXDEV') throw atItsCause(error, heldFrom, heldTo)
      moveAcrossDevices(heldFrom, heldTo, from)
      return
    }
    // On a file system that ignores case, the new name also appears under the old one.
    if (from.toLowerCase() !== to.toLowerCase()) removeSecondName(heldFrom, heldTo)
  }))
}

/** Node's error names the old path; if the new directory is the one that is not writable, names that. */
function atItsCause(error: unknown, from: string, to: string): unknown {
  if (!isNodeError(error) || (error.code !== 'EACCES' && error.code !== 'EPERM')) return error
  const isDenied = orNothing(() => accessSync(dirname(from), constants.W_OK | constants.X_OK), 'denied') === 'denied'
  return isDenied ? error : Object.assign(error, { path: to })
}

/** If both were names of one file, rename does nothing, but a move has to remove the old name. */
function removeSecondName(from: string, to: string): void {
  const left = lstatSync(from, { throwIfNoEntry: false })
  if (left !== undefined && left.nlink > 1 && left.ino === lstatSync(to).ino) unlinkSync(from)
}

/** @param shown `from` as the caller knows it */
function moveAcrossDevices(from: string, to: string, shown: string): void {
  // Checked first; otherwise a failed removal would leave both.
  accessSync(dirname(from), constants.W_OK)
  const temp = tempBeside(to)
  undoing(() => {
    copyTree(from, temp, shown)
    renameSync(temp, to)
  }, () => removeTree(temp))
  removeTree(from)
}

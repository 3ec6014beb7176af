import { lstatSync } from 'node:fs'
import { copyFile } from './copy-file.js'
import { changeMode, inParent } from './held-directory.js'
import { requireRegular } from './regular-file.js'

/** Whether the owner of a file may execute it, which is all that git keeps of a mode. */
export function isExecutable(mode: number): boolean {
  return (mode & 0o100) !== 0
}

/** Permission bits: executable for all who may read the file, or for nobody; never with set-uid bits. */
export function withExecutable(mode: number, executable: boolean): number {
  return executable ? (mode & 0o777) | ((mode & 0o444) >> 2) : mode & 0o666
}

/**
 * Makes a file executable, or not. One with other names, which may lie anywhere, gets a copy of its own for it.
 *
 * @returns false where it was so already
 * @throws as `requireRegular`; Node's errors
 */
export function changeExecutable(path: string, executable: boolean): boolean {
  return inParent(path, 'chmod', (held) => {
    const stats = lstatSync(held)
    requireRegular(stats, 'chmod', path)
    if (isExecutable(stats.mode) === executable) return false
    const mode = withExecutable(stats.mode, executable)
    if (stats.nlink > 1) copyFile(path, path, mode)
    else changeMode(held, mode, path)
    return true
  })
}

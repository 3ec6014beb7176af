import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'
import { keepOwnerAndMode, replaceByTemp } from './replace-by-temp.js'
import { tempBeside } from './temp-beside.js'

class Changed extends Error {}

/**
 * Replaces a file that somebody may save at any moment, with its mode, in one step, and only where it still holds what
 * it held: what has been saved since stays, or is put back.
 *
 * @param file canonical
 * @param expected all of what it must hold
 * @returns whether it was replaced
 * @throws Node's errors; then it is as it was
 */
export function replaceUnchanged(file: string, content: string, expected: string): boolean {
  const old = lstatSync(file, { throwIfNoEntry: false })
  if (!old?.isFile()) return false
  const kept = tempBeside(file)
  let isKept = false
  try {
    replaceByTemp(file, {
      mode: old.mode & 0o777,
      fill(descriptor) {
        writeFileSync(descriptor, content)
        keepOwnerAndMode(descriptor, old, old.mode & 0o777)
      },
      check() {
        // Where the file system has no second names, what is saved into the old file from now on cannot be had back.
        isKept = orNothing(() => (linkSync(file, kept), true), false)
        const before = signatureOf(file)
        if (readFileSync(file, 'utf8') !== expected || signatureOf(file) !== before) throw new Changed()
      },
    })
    if (!isKept || readFileSync(kept, 'utf8') === expected) return true
    renameSync(kept, file)
    return false
  } catch (error) {
    if (error instanceof Changed) return false
    throw error
  } finally {
    rmSync(kept, { force: true })
  }
}

/** Differs whenever the file was written or replaced. */
function signatureOf(file: string): string | undefined {
  const stats = orNothing(() => lstatSync(file, { bigint: true }), undefined)
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':')
}

import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { orNothing } from '../../../0-contracts/src/index.js'
import { keepOwnerAndMode, replaceByTemp } from './replace-by-temp.js'
import { tempBeside } from './temp-beside.js'

class Changed extends Error {}

/**
 * Replaces a file in one step, with its mode, only if it still has the expected content; what someone else saved
 * meanwhile stays or is restored.
 *
 * @param file absolute, links resolved
 * @param expected the whole content it must have
 * @returns whether it was replaced
 * @throws Node's errors; then nothing has changed
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
        // Keeps the old file under a second name; without hard links, a later save into the old file would be lost.
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

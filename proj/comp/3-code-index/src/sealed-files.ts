import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { ifPossible, orNothing, parseJson } from '../../0-contracts/src/index.js'
import { LockFile, stateDirectory, writeOwn } from '../../2-files/src/index.js'

/** Largest file to read or write. */
export const MOST_INDEX_BYTES = 512 * 1024 * 1024

/**
 * The file with the identities of the others in `.hermes/index`: a seal that records which were written here. An index
 * that came with the repository, or by unpacking or copying, is not trusted: it could claim anything about files whose
 * times it knows. A hash of the content detects data lost by a disk or overwritten by a program, which would make
 * answers wrong.
 */
const SEAL = 'code.seal'

const identities = v.record(
  v.string(), v.object({ device: v.string(), inode: v.string(), born: v.string(), hash: v.string() }),
)
type Identities = v.InferOutput<typeof identities>

/** @returns `undefined` where it is missing, too large, damaged, or was not written here */
export function loadSealed(root: string, name: string): Buffer | undefined {
  const path = join(root, '.hermes', 'index', name)
  return orNothing(() => {
    const known = identitiesIn(root)[name]
    const stats = known && lstatSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > MOST_INDEX_BYTES) return undefined
    const bytes = readFileSync(path)
    return JSON.stringify(known) === JSON.stringify(identityOf(path, bytes)) ? bytes : undefined
  }, undefined)
}

/**
 * Other processes see the old or the new files. If two save at once, only one does, and the other is told. If nothing
 * can be written the index is lost, which costs time but no correctness.
 *
 * @param make creates the files, once it is certain that they can be written
 */
export function saveSealed(
  root: string, make: () => readonly { name: string; bytes: Uint8Array; isDurable: boolean }[],
): boolean {
  return ifPossible(() => {
    const directory = stateDirectory(root, 'index')
    const lock = LockFile.tryAt(join(directory, `${SEAL}.lock`), 'index')
    if (!(lock instanceof LockFile)) return false
    try {
      const known = identitiesIn(root)
      for (const { name, bytes, isDurable } of make()) {
        if (bytes.length > MOST_INDEX_BYTES) continue
        writeOwn(join(directory, name), bytes, { isDurable })
        known[name] = identityOf(join(directory, name), bytes)
      }
      writeOwn(join(directory, SEAL), JSON.stringify(known), { isDurable: false })
    } finally {
      lock.release()
    }
    return true
  }, true)
}

function identitiesIn(root: string): Identities {
  return orNothing(() => {
    const path = join(root, '.hermes', 'index', SEAL)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > 4096) return {}
    const parsed = v.safeParse(identities, parseJson(readFileSync(path, 'utf8')))
    return parsed.success ? parsed.output : {}
  }, {})
}

/** Identity of a file; a copy has another inode or creation time. */
function identityOf(path: string, bytes: Uint8Array): Identities[string] {
  const { dev, ino, birthtimeNs } = lstatSync(path, { bigint: true })
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { device: String(dev), inode: String(ino), born: String(birthtimeNs), hash }
}

import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { HermesError, isNodeError } from '../../0-contracts/src/index.js'
import { LockFile, stateDirectory, writeOwn } from '../../2-files/src/index.js'

/** A larger file is not read, and none is written. */
export const MOST_INDEX_BYTES = 512 * 1024 * 1024

const identities = v.record(
  v.string(), v.object({ device: v.string(), inode: v.string(), born: v.string(), hash: v.string() }),
)
type Identities = v.InferOutput<typeof identities>

/**
 * Files below `.hermes/index`, and a seal that says which of them were written here: an index that came with the
 * repository, or was put there by unpacking or copying, is none of ours, and would say what it likes of files whose
 * times it knows. Their content is told by a hash: what a disk lost or a program overwrote would else be an error in
 * each answer.
 */
export class SealedFiles {
  readonly #root: string
  readonly #seal: string

  /** @param seal name of the file that has the identities of the others */
  constructor(root: string, seal: string) {
    this.#root = root
    this.#seal = seal
  }

  /** @returns `undefined` where it is missing, too large, damaged, or not written here */
  load(name: string): Buffer | undefined {
    const path = join(this.#root, '.hermes', 'index', name)
    try {
      const known = this.#identities()[name]
      const found = known && lstatSync(path, { throwIfNoEntry: false })
      if (!found?.isFile() || found.size > MOST_INDEX_BYTES) return undefined
      const bytes = readFileSync(path)
      return JSON.stringify(known) === JSON.stringify(identityOf(path, bytes)) ? bytes : undefined
    } catch (error) {
      if (isNodeError(error)) return undefined
      throw error
    }
  }

  /**
   * Other processes see the old or the new files. Of two that save at once one does, and says so. Where nothing can be
   * written the index is lost, which costs time and no answer.
   *
   * @param make the files, made once it is sure that they can be written
   * @returns false where another process saves at this moment
   */
  save(make: () => readonly { name: string; bytes: Uint8Array; isDurable: boolean }[]): boolean {
    try {
      const directory = stateDirectory(this.#root, 'index')
      const lock = LockFile.tryAt(join(directory, `${this.#seal}.lock`), 'index')
      if (!(lock instanceof LockFile)) return false
      try {
        const known = this.#identities()
        for (const { name, bytes, isDurable } of make()) {
          if (bytes.length > MOST_INDEX_BYTES) continue
          writeOwn(join(directory, name), bytes, { isDurable })
          known[name] = identityOf(join(directory, name), bytes)
        }
        writeOwn(join(directory, this.#seal), JSON.stringify(known), { isDurable: false })
      } finally {
        lock.release()
      }
    } catch (error) {
      if (!isNodeError(error) && !(error instanceof HermesError)) throw error
    }
    return true
  }

  #identities(): Identities {
    try {
      const path = join(this.#root, '.hermes', 'index', this.#seal)
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (!found?.isFile() || found.size > 4096) return {}
      const parsed = v.safeParse(identities, JSON.parse(readFileSync(path, 'utf8')))
      return parsed.success ? parsed.output : {}
    } catch (error) {
      if (error instanceof SyntaxError || isNodeError(error)) return {}
      throw error
    }
  }
}

/** A copy has another inode, or was made at another time. */
function identityOf(path: string, bytes: Uint8Array): Identities[string] {
  const { dev, ino, birthtimeNs } = lstatSync(path, { bigint: true })
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { device: String(dev), inode: String(ino), born: String(birthtimeNs), hash }
}

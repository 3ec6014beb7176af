import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import type { ContentStore } from './content-store.js'
import { readManifest, treeBytes, wrongSize, type TreeManifest } from './tree-manifest.js'

interface Cached {
  directory: Promise<string>
  bytes: number
  users: number
}

/** Number of files to fetch at a time. */
const AT_A_TIME = 8
const MOST_BYTES = 4 * 1024 ** 3
const MOST_TREES = 256

/**
 * Caches trees of a store in directories of this host. Each is fetched once; the least recently used are removed when
 * there are too many.
 */
export class TreeCache {
  /** By address, most recently used last. */
  readonly #trees = new Map<string, Cached>()

  /** @param directory only for this cache; the caller removes it */
  constructor(
    private readonly store: ContentStore, private readonly directory: string,
    private readonly most = { bytes: MOST_BYTES, trees: MOST_TREES },
  ) {}

  /**
   * Calls `task` with the directory of a tree. The task must not change it; it stays until the task ends.
   *
   * @throws HermesError as `ContentStore.get`, or where the disk is full
   */
  async using<T>(address: string, task: (directory: string) => Promise<T>): Promise<T> {
    const cached = this.#trees.get(address) ?? this.#fetch(address)
    this.#trees.delete(address)
    this.#trees.set(address, cached)
    cached.users++
    try {
      return await task(await cached.directory)
    } finally {
      cached.users--
      await this.#makeRoom()
    }
  }

  #fetch(address: string): Cached {
    const cached: Cached = { directory: Promise.resolve(''), bytes: 0, users: 0 }
    cached.directory = this.#unpack(address, cached).catch((error: unknown) => {
      // Lets the next call try again.
      if (this.#trees.get(address) === cached) this.#trees.delete(address)
      throw error
    })
    return cached
  }

  async #unpack(address: string, cached: Cached): Promise<string> {
    const manifest = readManifest(await this.store.get(address))
    const bytes = treeBytes(manifest)
    if (bytes > this.most.bytes) {
      throw new HermesError(
        'FILE_TOO_LARGE', `A workspace has ${bytes} bytes, more than the ${this.most.bytes} that a worker keeps`,
        { hint: 'Leave large files out of it.' },
      )
    }
    try {
      const made = await mkdtemp(join(this.directory, 'tree-'))
      try {
        await this.#fill(made, manifest)
      } catch (error) {
        await rm(made, { recursive: true, force: true, maxRetries: 3 })
        throw error
      }
      cached.bytes = bytes
      return made
    } catch (error) {
      if (!isNodeError(error)) throw error
      throw new HermesError(error.code, `A workspace from the store cannot be kept (${error.code})`, {
        hint: 'Look at the directory for temporary files, and whether its disk is full.', cause: error,
      })
    }
  }

  async #fill(root: string, { entries }: TreeManifest): Promise<void> {
    for (const { kind, path } of entries) if (kind === 'directory') await mkdir(join(root, path))
    const next = entries.values()
    const fill = async (): Promise<void> => {
      for (const entry of next) {
        if (entry.kind !== 'file') continue
        const place = join(root, entry.path)
        await writeFile(place, await this.#contentOf(entry), { flag: 'wx' })
        await chmod(place, entry.mode)
      }
    }
    const filled = await Promise.allSettled(Array.from({ length: AT_A_TIME }, fill))
    // Wait for all, so that none still writes while the directory is removed.
    for (const outcome of filled) if (outcome.status === 'rejected') throw outcome.reason
    // Links last, so that nothing is written through one.
    for (const entry of entries) if (entry.kind === 'link') await symlink(entry.target, join(root, entry.path))
    // Other processes of this user have to copy and remove it.
    for (const entry of entries) if (entry.kind === 'directory') await chmod(join(root, entry.path), entry.mode | 0o700)
  }

  async #contentOf({ content, size }: Extract<TreeManifest['entries'][number], { kind: 'file' }>): Promise<Buffer> {
    try {
      const fetched = await this.store.get(content, size)
      if (fetched.length === size) return fetched
    } catch (error) {
      if (!(error instanceof HermesError) || error.code !== 'FILE_TOO_LARGE') throw error
    }
    throw wrongSize()
  }

  async #makeRoom(): Promise<void> {
    for (const [address, cached] of this.#trees) {
      const bytes = [...this.#trees.values()].reduce((sum, each) => sum + each.bytes, 0)
      if (bytes <= this.most.bytes && this.#trees.size <= this.most.trees) return
      if (cached.users > 0) continue
      this.#trees.delete(address)
      await rm(await cached.directory, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

import { constants } from 'node:fs'
import { lstat, mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { writeWholeAsync } from '../atomic-write/index.js'
import { caughtLater, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { contentAddress, contentPath } from './content-address.js'
import { checked, missing, MOST_BYTES, requireSize, type ContentStore } from './content-store.js'

/** Others may write to the store: do not wait for a pipe, and follow no link to a file of this host. */
const REGULAR_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** A store in a directory that the hosts share, or that is copied between them. */
export class DirectoryStore implements ContentStore {
  readonly name: string

  constructor(directory: string) {
    this.name = resolve(directory)
  }

  async put(content: Uint8Array): Promise<string> {
    requireSize(content.length, 'A file')
    const address = contentAddress(content)
    const path = join(this.name, contentPath(address))
    return this.#guarded(async () => {
      // A file that a full disk cut short is written again.
      const there = await lstat(path).catch(nothingThere)
      if (there?.isFile() === true && there.size === content.length) return address
      await mkdir(dirname(path), { recursive: true })
      await writeWholeAsync(path, content)
      return address
    })
  }

  async get(address: string, most = MOST_BYTES): Promise<Buffer> {
    const path = join(this.name, contentPath(address))
    return this.#guarded(async () => {
      const file = await this.#opened(path, address)
      try {
        const stats = await file.stat()
        if (!stats.isFile()) throw this.#noFile(address)
        requireSize(stats.size, address, most)
        return checked(await wholeFile(file, stats.size), address, this.name)
      } finally {
        await file.close()
      }
    })
  }

  async #opened(path: string, address: string): Promise<FileHandle> {
    try {
      return await open(path, REGULAR_ONLY)
    } catch (error) {
      if (isNodeError(error) && error.code === 'ENOENT') throw missing(address, this.name)
      if (isNodeError(error) && (error.code === 'ELOOP' || error.code === 'ENXIO')) throw this.#noFile(address)
      throw error
    }
  }

  #noFile(address: string): HermesError {
    return new HermesError('CORRUPT_CONTENT', `${this.name} holds no regular file under ${address}`, {
      hint: 'Remove it there, and run the same command again: it is sent anew.',
    })
  }

  async #guarded<T>(act: () => Promise<T>): Promise<T> {
    return await caughtLater(isNodeError, act, (error) => {
      throw new HermesError(error.code, `The store ${this.name} cannot be used (${error.code})`, {
        hint: 'Look at the directory of --store, and at who may write there.', cause: error,
      })
    })
  }
}

/** Reads at most the size seen before, even if the file grows. */
async function wholeFile(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size)
  let at = 0
  while (at < size) {
    const { bytesRead } = await file.read(bytes, at, size - at, at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return bytes.subarray(0, at)
}

function nothingThere(error: unknown): undefined {
  if (isNodeError(error) && error.code === 'ENOENT') return undefined
  throw error
}

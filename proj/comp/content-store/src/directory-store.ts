import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { HermesError, isNodeError } from '../../contracts/src/index.js'
import { contentAddress, contentPath } from './content-address.js'
import { checked, missing, requireSize, type ContentStore } from './content-store.js'

/** A directory that the hosts share, or that is copied between them. */
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
      // One that a full disk cut short is written again.
      if ((await stat(path).catch(nothingThere))?.size === content.length) return address
      await mkdir(dirname(path), { recursive: true })
      const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
      try {
        await writeFile(temporary, content)
        await rename(temporary, path)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      return address
    })
  }

  async get(address: string): Promise<Buffer> {
    const path = join(this.name, contentPath(address))
    return this.#guarded(async () => {
      const found = await stat(path).catch(nothingThere)
      if (!found) throw missing(address, this.name)
      requireSize(found.size, address)
      return checked(await readFile(path), address, this.name)
    })
  }

  async #guarded<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (!isNodeError(error)) throw error
      throw new HermesError(error.code, `The store ${this.name} cannot be used (${error.code})`, {
        hint: 'Look at the directory of --store, and at who may write there.', cause: error,
      })
    }
  }
}

function nothingThere(error: unknown): undefined {
  if (isNodeError(error) && error.code === 'ENOENT') return undefined
  throw error
}

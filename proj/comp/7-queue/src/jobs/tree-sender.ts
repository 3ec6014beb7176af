import { stat } from 'node:fs/promises'
import { valueAt } from '../../../0-text/src/index.js'
import { caughtLater, HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { packTree, type ContentStore, TreeCache } from '../../../2-files/src/index.js'
import { requireStore } from './carried.js'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'

/** Puts directories into the store, each once. */
export class TreeSender {
  /** Addresses by directory. */
  readonly #sent = new Map<string, Promise<string>>()

  constructor(private readonly store: ContentStore | undefined) {}

  /**
   * @returns its address.
   * @throws HermesError without a store, for a directory that cannot be read, and for one that the store cannot carry
   */
  send(directory: string): Promise<string> {
    return valueAt(this.#sent, directory, () => packed(directory, requireStore(this.store)))
  }
}

/** @throws HermesError `ENOENT` where it is not a directory */
export async function requireFixture(directory: string): Promise<void> {
  if (await isDirectory(directory)) return
  throw new HermesError('ENOENT', `There is no fixture ${directory}`, { hint: 'Give a directory with --fixture; '
    + '{name} in it stands for the transcript.' })
}

export async function isDirectory(path: string): Promise<boolean> {
  return await caughtLater(isNodeError, async () => (await stat(path)).isDirectory(), () => false)
}

async function packed(directory: string, store: ContentStore): Promise<string> {
  return await caughtLater(isNodeError, () => packTree(directory, store), (error) => {
    throw new HermesError(error.code, `${directory} cannot be read (${error.code})`, {
      hint: 'Look at who may read it.', cause: error,
    })
  })
}

/** Trees of the store as directories of this host, for as long as they are needed. */
export class TreeFetcher {
  #trees: TreeCache | undefined

  /** @param directory of this worker alone; whoever made it removes it */
  constructor(private readonly store: ContentStore | undefined, private readonly directory: string) {}

  /**
   * Calls `task` with a directory, which is not to be changed; with `undefined` for `undefined`.
   *
   * @throws HermesError `INVALID_OPTION` without a store, and as `ContentStore.get`
   */
  async with<T>(address: string | undefined, task: (directory: string | undefined) => Promise<T>): Promise<T> {
    if (address === undefined) return task(undefined)
    this.#trees ??= new TreeCache(requireStore(this.store), mkdtempSync(join(this.directory, 'trees-')))
    return this.#trees.using(address, task)
  }
}

import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { TreeCache, type ContentStore } from '../../../2-files/src/index.js'
import { requireStore } from './carried.js'

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

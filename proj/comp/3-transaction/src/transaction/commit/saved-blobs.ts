import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { savedContent, SavedContent, type FileState } from '../../journal/index.js'
import type { Candidate } from './commit-paths.js'

/** Git's object ids of contents byte for byte, without filters. */
export class SavedBlobs {
  readonly #known = new Map<FileState, string>()

  constructor(private readonly objectFormat: string) {}

  /**
   * Reads and hashes the contents that the journal has from before the run; git processes started just before run in
   * parallel.
   *
   * @param journal its directory
   * @throws as `savedContent`
   */
  async readAll(journal: string, candidates: Iterable<Candidate>): Promise<void> {
    await nextTurn()
    for (const { before } of candidates) {
      if (before.kind !== 'file' || before.at === undefined) continue
      const content = savedContent(journal, before)
      this.#known.set(before, content instanceof SavedContent ? await this.#idOfLarge(content, before.size)
        : this.idOfContent(content))
    }
  }

  /** The id of a state that `readAll` has read. */
  idOf(state: FileState): string | undefined {
    return this.#known.get(state)
  }

  async #idOfLarge(content: SavedContent, size: number): Promise<string> {
    const digest = createHash(this.objectFormat).update(`blob ${size}\0`)
    await content.eachInTurns((bytes) => digest.update(bytes))
    return digest.digest('hex')
  }

  idOfContent(content: Uint8Array): string {
    return createHash(this.objectFormat).update(`blob ${content.length}\0`).update(content).digest('hex')
  }
}

import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readSaved, type FileState } from '../../journal/index.js'
import type { Candidate } from './commit-paths.js'

/** The ids that git gives to contents as they are, without the filters of their attributes. */
export class SavedBlobs {
  readonly #objectFormat: string
  readonly #known = new Map<FileState, string>()

  constructor(objectFormat: string) {
    this.#objectFormat = objectFormat
  }

  /**
   * Reads and hashes what the journal has from before the run. Programs of git that were started just before work
   * meanwhile.
   *
   * @param journal where it is kept
   * @throws as `readSaved`
   */
  async readAll(journal: string, candidates: Iterable<Candidate>): Promise<void> {
    await nextTurn()
    for (const { before } of candidates) {
      if (before.kind !== 'file' || before.at === undefined) continue
      this.#known.set(before, this.idOfContent(readSaved(journal, before)))
    }
  }

  /** Of what `readAll` has read. */
  idOf(state: FileState): string | undefined {
    return this.#known.get(state)
  }

  idOfContent(content: Uint8Array): string {
    return createHash(this.#objectFormat).update(`blob ${content.length}\0`).update(content).digest('hex')
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Diagnostic } from './protocol-schemas.js'

/** Kept of one file, and of how many files: a server that tells more is cut short. */
const MOST_OF_FILE = 2000
const MOST_FILES = 5000
/**
 * How long a server has to be silent about a file before what it said counts as all, in milliseconds: one that names
 * the version of the text tells all at once, others tell syntax first and types when they know them.
 */
const QUIET_MS = { versioned: 250, unversioned: 1500 }
/** How long one is waited for that has told of an older text, and may have nothing new to say, in milliseconds. */
const SILENT_MS = 5000
const LOOK_MS = 20

interface Told {
  /** Of the text that it is about, where the server says. */
  version: number | undefined
  items: readonly Diagnostic[]
  count: number
  at: number
}

/** What a server has told of files by itself (`textDocument/publishDiagnostics`). */
export class ToldDiagnostics {
  readonly #told = new Map<string, Told>()
  #count = 0
  /** When the server last heard of changes. */
  #changedAt = -Infinity

  /** The server has heard of changes: what it told of other files may be about what was there before. */
  outdate(): void {
    this.#changedAt = performance.now()
  }

  take(path: string, version: number | undefined, items: readonly Diagnostic[]): void {
    this.#told.delete(path)
    this.#told.set(path, { version, items: items.slice(0, MOST_OF_FILE), count: ++this.#count, at: performance.now() })
    const [oldest] = this.#told.keys()
    if (this.#told.size > MOST_FILES && oldest !== undefined) this.#told.delete(oldest)
  }

  /** To be handed to `when` with what was asked after it. */
  get mark(): number {
    return this.#count
  }

  /**
   * What is told of a text, once it is there and the server is silent. Some servers do not tell again what has not
   * changed: after a longer silence what was told of an older text holds.
   *
   * @param document its `mark`: what was told before that without a version is about an older text
   * @param isWorking the server says that it is
   * @param isOver nobody waits any longer
   * @returns `undefined` where it was over first, and nothing was told
   */
  async when(
    path: string, { version, mark }: { version: number; mark: number }, isWorking: () => boolean, isOver: () => boolean,
  ): Promise<readonly Diagnostic[] | undefined> {
    const startedAt = performance.now()
    for (;;) {
      const told = this.#told.get(path)
      const isOfText = told && (told.version === undefined ? told.count > mark : told.version >= version)
      if (told && isOfText) {
        const isOutdated = told.at < this.#changedAt
        const quiet = isOutdated ? SILENT_MS : told.version === undefined ? QUIET_MS.unversioned : QUIET_MS.versioned
        const silent = performance.now() - Math.max(told.at, this.#changedAt)
        if (isOver() || (silent >= quiet && !(isOutdated && isWorking()))) return told.items
      } else if (isOver()) return undefined
      else if (told && !isWorking() && performance.now() - startedAt >= SILENT_MS) return told.items
      await sleep(LOOK_MS)
    }
  }
}

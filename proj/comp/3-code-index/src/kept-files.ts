import { DamagedIndex } from './bytes.js'
import { loadSegment, saveIndex } from './index-store.js'
import { Overlay } from './overlay.js'
import type { KeptPassages } from './kept-passages.js'
import { type Entry, Segment, writeSegment } from './segment.js'

/** Most files in the overlay, absolute and relative to the base, before a new base is written. */
const MOST_OVERLAID = { files: 100, share: 0.1 }
/** Most that is recomputed in each process rather than saved. */
const MOST_UNSAVED = { files: 16, chars: 500_000 }
/** Cost of reading a text, relative to parsing it. */
const READING_SHARE = 0.05

/** Indexed files: a large, unchanging base, and an overlay of files that changed since. */
export class KeptFiles {
  base: Segment | undefined
  /** Index in the base, by key. */
  inBase: ReadonlyMap<string, number> = new Map()
  overlay = new Overlay()
  #unsaved = { files: 0, chars: 0 }
  #isChanged = false
  #isBaseSaved = true

  constructor(private readonly root: string) {}

  load(): void {
    this.#setBase(loadSegment(this.root, 'base'))
    const delta = loadSegment(this.root, 'delta')
    try {
      for (const [file, key] of delta?.keys.entries() ?? []) this.overlay.set(key, delta!.entry(file))
    } catch (error) {
      if (!(error instanceof DamagedIndex)) throw error
      this.overlay = new Overlay()
    }
  }

  /** The stored index is damaged: drops everything. */
  forget(): void {
    this.#setBase(undefined)
    this.overlay = new Overlay()
  }

  #setBase(base: Segment | undefined): void {
    this.base = base
    this.inBase = new Map(base?.keys.map((key, file) => [key, file]))
  }

  stateOf(key: string): Omit<Entry, 'record'> | undefined {
    const file = this.inBase.get(key)
    return this.overlay.get(key) ?? (file === undefined ? undefined : this.base?.state(file))
  }

  entryOf(key: string): Entry | undefined {
    const file = this.inBase.get(key)
    return this.overlay.get(key) ?? (file === undefined ? undefined : this.base?.entry(file))
  }

  /** @param work number of characters that were parsed, or only read */
  set(key: string, entry: Entry, work: { chars: number; isParsed: boolean }): void {
    this.overlay.set(key, entry)
    this.noteWork(work)
    this.#isChanged = true
  }

  /** For a file that can no longer be read. */
  delete(key: string): void {
    if (this.overlay.delete(key)) this.#isChanged = true
  }

  /** Counts work that has to be repeated if it is not saved. */
  noteWork({ chars, isParsed }: { chars: number; isParsed: boolean }): void {
    const share = isParsed ? 1 : READING_SHARE
    this.#unsaved.files += share
    this.#unsaved.chars += chars * share
  }

  /**
   * Saves new entries if there are many, and writes a new base if the overlay is large.
   *
   * @param isGone whether a file no longer exists
   */
  publish({ dryRun, isGone, passages }: {
    dryRun: boolean; isGone: (key: string) => boolean; passages: KeptPassages
  }): void {
    if (!this.#isChanged && !passages.isChanged) return
    if (this.overlay.size > Math.max(MOST_OVERLAID.files, this.inBase.size * MOST_OVERLAID.share)) {
      this.#makeBase(isGone)
    }
    const isWorthIt = this.#unsaved.files > MOST_UNSAVED.files || this.#unsaved.chars > MOST_UNSAVED.chars
    if (dryRun || !isWorthIt) return
    const isWritten = saveIndex(this.root, () => ({
      ...(!this.#isBaseSaved && this.base && { base: this.base.bytes }),
      delta: writeSegment(lasting(this.overlay.entries())),
      ...(passages.isChanged && { passages: passages.index }),
    }))
    if (!isWritten) return
    passages.isChanged = false
    this.#isBaseSaved = true
    this.#isChanged = false
    this.#unsaved = { files: 0, chars: 0 }
  }

  #makeBase(isGone: (key: string) => boolean): void {
    const all = new Map<string, Entry>()
    for (const key of this.inBase.keys()) if (!isGone(key)) all.set(key, this.entryOf(key)!)
    for (const [key, entry] of this.overlay.entries()) if (!isGone(key)) all.set(key, entry)
    this.#setBase(new Segment(writeSegment(lasting(all))))
    this.#isBaseSaved = false
    this.overlay = new Overlay()
    for (const [key, entry] of all) if (entry.isPassing) this.overlay.set(key, entry)
  }
}

function lasting(entries: Iterable<[string, Entry]>): Map<string, Entry> {
  return new Map([...entries].filter(([, { isPassing }]) => !isPassing))
}

import { openSync } from 'node:fs'
import type { DecidingSettings } from './compare/fingerprint.js'
import { nearestKept, type Kept, type KeptPlace } from './kept-result.js'
import { parsedEntry, type Entry, type KeptReport } from './part-entry.js'
import { ResumeSurvey } from './resume-survey.js'
import { addTo, valueAt } from '../../../0-text/src/index.js'
import { bytesAt, closing } from '../../../2-files/src/index.js'

export interface TakeOptions {
  /**
   * Whether to run again what drifted or had no recorded result: its results are needed, and only its report was
   * stored.
   */
  onlySame?: boolean
}

/** Results of earlier starts of a run. Memory holds where each result is stored, not the results themselves. */
export class EarlierResults<Report extends KeptReport> {
  /** By content id: equal transcripts may have occurred several times. */
  readonly #kept = new Map<string, Kept[]>()
  /** Each distinct set of settings once. */
  readonly #settings = new Map<string, DecidingSettings>()
  readonly #without: ReadonlySet<string>
  #given = 0
  #taken = 0
  #hadAny = false
  /** Number of lines that are not results, by file. */
  readonly #unreadable = new Map<string, number>()
  /** Number of transcripts that are run again, by reason. */
  readonly #again = new Map<string, number>()

  /** @param without names of settings that older versions stored, and that influence nothing */
  constructor(without: readonly string[] = []) {
    this.#without = new Set(without)
  }

  add({ id, settings: all, report }: Entry, place: KeptPlace): void {
    const settings = Object.fromEntries(Object.entries(all).filter(([name]) => !this.#without.has(name)))
    const key = JSON.stringify(Object.entries(settings).sort(([a], [b]) => (a < b ? -1 : 1)))
    const shared = valueAt(this.#settings, key, () => settings)
    this.#hadAny = true
    const { drifted, counts, error, name } = report
    const kept = {
      name, settings: shared, drifted, unrecorded: (counts['unrecorded'] ?? 0) > 0, error: error?.code, ...place,
    }
    addTo(this.#kept, id, kept)
  }

  /** Notes a line that is not a result: it stays, and does not count. */
  passOver(file: string): void {
    this.#unreadable.set(file, (this.#unreadable.get(file) ?? 0) + 1)
  }

  /** Returns a stored result for this content and these settings; each result is returned once. */
  take(id: string, settings: DecidingSettings, { onlySame = false }: TakeOptions): Entry<Report> | undefined {
    this.#given++
    const kept = this.#kept.get(id) ?? []
    const nearest = nearestKept(kept, settings, onlySame)
    if (!nearest) return undefined
    const { kept: again, at, why } = nearest
    if (why !== undefined) {
      this.#again.set(why, (this.#again.get(why) ?? 0) + 1)
      return undefined
    }
    kept.splice(at, 1)
    this.#taken++
    return readEntry<Report>(again)
  }

  /** A survey of what would be run again. */
  survey(): ResumeSurvey {
    return new ResumeSurvey(this.#kept)
  }

  get told(): string | undefined {
    const unreadable = [...this.#unreadable].map(([file, count]) =>
      `; passed over: ${count} in ${file} that cannot be read`)
    if (!this.#hadAny && unreadable.length === 0) return undefined
    const again = [...this.#again].map(([why, count]) => `; run again: ${count} (${why})`)
    return `Taken over: ${this.#taken} of ${this.#given}${again.join('')}${unreadable.join('')}`
  }

  /**
   * Offsets of the results in a file that do not count: made with other settings, or for a transcript not given now.
   */
  leftIn(file: string): Set<number> {
    return new Set([...this.#kept.values()].flat().filter((kept) => kept.file === file).map(({ start }) => start))
  }
}

function readEntry<Report extends KeptReport>({ file, start, length }: Kept): Entry<Report> | undefined {
  const bytes = closing(openSync(file, 'r'), (descriptor) => bytesAt(descriptor, start, length))
  return parsedEntry<Report>(bytes.toString())
}

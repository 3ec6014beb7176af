import { addTo } from '../../../0-text/src/index.js'
import type { DecidingSettings } from './compare/fingerprint.js'
import { nearestKept, type Kept } from './kept-result.js'

/** Stored results that would be made again nonetheless. */
export interface RunAgain {
  /** What changed: names of settings, or `prompt`. */
  changed: string
  /** Their names in reports, in order. */
  names: string[]
}

/**
 * Finds what resuming a run would do again although it has a result, before it does. Reuses nothing itself. Failed
 * results are not reported: running those again is the purpose.
 */
export class ResumeSurvey {
  readonly #left: Map<string, Kept[]>
  /** Names of results, where they have one. */
  readonly #known: ReadonlySet<string>
  readonly #again = new Map<string, string[]>()
  /** Names with a result whose new content has none. */
  readonly #others: string[] = []

  constructor(kept: ReadonlyMap<string, readonly Kept[]>) {
    this.#left = new Map([...kept].map(([id, all]) => [id, [...all]]))
    this.#known = new Set([...kept.values()].flat().flatMap(({ name }) => name ?? []))
  }

  see(id: string, name: string, settings: DecidingSettings): void {
    const left = this.#left.get(id) ?? []
    const nearest = nearestKept(left, settings, false)
    if (!nearest) {
      if (this.#known.has(name)) this.#others.push(name)
      return
    }
    left.splice(nearest.at, 1)
    const { names, kept: { error } } = nearest
    if (names.length > 0 && error === undefined) addTo(this.#again, names.join(', '), name)
  }

  /** Call it once all were seen. */
  again(): RunAgain[] {
    // A result that another content reused was not made in vain.
    const unused = new Set([...this.#left.values()].flat().filter(({ error }) => error === undefined)
      .flatMap(({ name }) => name ?? []))
    for (const name of this.#others.splice(0)) if (unused.has(name)) addTo(this.#again, 'prompt', name)
    return [...this.#again].map(([changed, names]) => ({ changed, names }))
  }
}

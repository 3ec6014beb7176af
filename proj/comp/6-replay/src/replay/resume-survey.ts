import type { DecidingSettings } from './compare/fingerprint.js'
import { nearestKept, type Kept } from './kept-result.js'

/** Results that are there, of things that would be run again all the same. */
export interface RunAgain {
  /** What is another now: names of settings, or `prompt`. */
  changed: string
  /** By what they are called in reports, in order. */
  names: string[]
}

/**
 * Tells what a run that goes on would do again although it has a result, before it does: nothing is taken over by it.
 * What failed is not told of: to run that again is what going on is for.
 */
export class ResumeSurvey {
  readonly #left: Map<string, Kept[]>
  /** Names of results, as far as they are called something. */
  readonly #known: ReadonlySet<string>
  readonly #again = new Map<string, string[]>()
  /** Of a content that has no result, but under a name that has one. */
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
    if (nearest.names.length > 0 && nearest.one.error === undefined) this.#note(nearest.names.join(', '), name)
  }

  /** Once all were seen. */
  again(): RunAgain[] {
    // A result that another content took over was not made for nothing.
    const unused = new Set([...this.#left.values()].flat().filter(({ error }) => error === undefined)
      .flatMap(({ name }) => name ?? []))
    for (const name of this.#others.splice(0)) if (unused.has(name)) this.#note('prompt', name)
    return [...this.#again].map(([changed, names]) => ({ changed, names }))
  }

  #note(changed: string, name: string): void {
    const names = this.#again.get(changed) ?? []
    names.push(name)
    this.#again.set(changed, names)
  }
}

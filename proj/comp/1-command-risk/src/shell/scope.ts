import type { Function as ShellFunction } from 'unbash'
import { clip } from '../../../0-text/src/index.js'
import type { Danger, DangerName } from '../dangers.js'
import { FileTexts } from './file-texts.js'
import { shown } from './taint.js'

/**
 * Simple commands looked at in one text, those in loops and functions each time; no honest script has so many. Long
 * texts count as several.
 */
const MOST_STEPS = 5000
const UNITS_PER_STEP = 500
/** How deep texts that run texts may nest. */
const MOST_DEPTH = 24
const SHOWN_LENGTH = 200

/** What all scopes of one text share. */
class Findings {
  readonly dangers = new Map<string, Danger>()
  steps = 0
  depth = 0
}

export class TooComplex extends Error {}

/** What a script has said so far: variables, functions, files. A subshell has a copy. */
export class Scope {
  readonly variables: Map<string, readonly string[]>
  readonly functions: Map<string, ShellFunction['body']>
  readonly aliases: Map<string, string>
  readonly files: FileTexts
  /** `$1`, `$2`, …; `undefined` where nothing is known of them. */
  parameters: readonly string[] | undefined
  readonly #findings: Findings

  constructor(from?: Scope) {
    this.variables = new Map(from?.variables)
    this.functions = new Map(from?.functions)
    this.aliases = new Map(from?.aliases)
    this.files = from?.files ?? new FileTexts()
    this.parameters = from?.parameters
    this.#findings = from ? from.#findings : new Findings()
  }

  get dangers(): Danger[] {
    return [...this.#findings.dangers.values()]
  }

  report(name: DangerName | undefined, words: readonly string[]): void {
    if (name === undefined || this.#findings.dangers.has(name)) return
    const command = clip(shown(words.join(' ')).replace(/\s+/g, ' ').trim(), SHOWN_LENGTH)
    this.#findings.dangers.set(name, { name, command })
  }

  /** @param length of the texts that are looked at, in UTF-16 units. @throws TooComplex */
  step(length = 0): void {
    this.#findings.steps += 1 + length / UNITS_PER_STEP
    if (this.#findings.steps > MOST_STEPS) throw new TooComplex()
  }

  /** Runs what is one level deeper. @throws TooComplex */
  deeper<T>(task: () => T): T {
    if (++this.#findings.depth > MOST_DEPTH) throw new TooComplex()
    try {
      return task()
    } finally {
      this.#findings.depth--
    }
  }
}

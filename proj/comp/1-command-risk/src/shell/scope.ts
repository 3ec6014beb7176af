import type { Function as ShellFunction } from 'unbash'
import { clip } from '../../../0-text/src/index.js'
import type { Danger, DangerName } from '../dangers.js'
import { shown } from './taint.js'

/**
 * Most simple commands to follow in one text, counting each pass of loops and functions; honest scripts have fewer.
 * Long texts count as several.
 */
const MOST_STEPS = 5000
const UNITS_PER_STEP = 500
/** Deepest nesting of texts that run texts. */
const MOST_DEPTH = 24
const SHOWN_LENGTH = 200

export class TooComplex extends Error {}

/** Contents of the files that a script itself wrote or fetched, by path; `./a` and `a` are the same. */
class FileTexts {
  readonly #texts = new Map<string, string>()

  get(path: string): string | undefined {
    return this.#texts.get(plain(path))
  }

  set(path: string, text: string): void {
    this.#texts.set(plain(path), text)
  }

  get size(): number {
    return this.#texts.size
  }
}

/** What a script has said so far: variables, functions, files. A subshell has a copy. */
export class Scope {
  readonly variables: Map<string, readonly string[]>
  readonly functions: Map<string, ShellFunction['body']>
  readonly aliases: Map<string, string>
  readonly files: FileTexts
  /** `$1`, `$2`, …; `undefined` where unknown. */
  parameters: readonly string[] | undefined
  /** Shared by all scopes of one text. */
  readonly #findings: { dangers: Map<string, Danger>; steps: number; depth: number }

  constructor(from?: Scope) {
    this.variables = new Map(from?.variables)
    this.functions = new Map(from?.functions)
    this.aliases = new Map(from?.aliases)
    this.files = from?.files ?? new FileTexts()
    this.parameters = from?.parameters
    this.#findings = from ? from.#findings : { dangers: new Map(), steps: 0, depth: 0 }
  }

  get dangers(): Danger[] {
    return [...this.#findings.dangers.values()]
  }

  report(name: DangerName | undefined, words: readonly string[]): void {
    if (name === undefined || this.#findings.dangers.has(name)) return
    const command = clip(shown(words.join(' ')).replace(/\s+/g, ' ').trim(), SHOWN_LENGTH)
    this.#findings.dangers.set(name, { name, command })
  }

  /**
   * @param length of the text to analyse, in UTF-16 units
   * @throws TooComplex
   */
  step(length = 0): void {
    this.#findings.steps += 1 + length / UNITS_PER_STEP
    if (this.#findings.steps > MOST_STEPS) throw new TooComplex()
  }

  /**
   * Runs a task one level deeper.
   *
   * @throws TooComplex
   */
  deeper<T>(task: () => T): T {
    if (++this.#findings.depth > MOST_DEPTH) throw new TooComplex()
    try {
      return task()
    } finally {
      this.#findings.depth--
    }
  }
}

function plain(path: string): string {
  return path.replace(/\/{2,}|\/(?:\.\/)+/g, '/').replace(/^(?:\.\/)+/, '')
}

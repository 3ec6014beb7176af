import type { KeptResource, VerbContext } from '../../../../0-contracts/src/index.js'
import { syntaxParser, type SyntaxParser } from '../../../../2-syntax/src/index.js'
import { IdleTimer } from '../idle-timer.js'
import { GatedFiles } from '../typescript/gated-files.js'
import { Meanings } from './python-meanings.js'
import { PythonModules } from './python-modules.js'

/** Most source text whose modules are kept between calls, in UTF-16 units. */
const MOST_CHARS = 6_000_000
const NAME = 'python-modules'

/** Modules of the root, and what is known of their names. */
export interface KnownModules {
  modules: PythonModules
  meanings: Meanings
}

/** Keeps the Python modules that a session has read, between calls; each call sees the files' current content. */
export class KeptModules implements KeptResource {
  #known: KnownModules | undefined
  #files: VerbContext['files'] | undefined
  readonly #idle = new IdleTimer(() => this.#forget())

  /** @throws HermesError `NOT_INSTALLED`, `CANCELLED` */
  static async with<Result>(context: VerbContext, use: (known: KnownModules) => Promise<Result>): Promise<Result> {
    const { kept } = context.session
    const open = kept?.get(NAME)
    const modules = open instanceof KeptModules ? open : new KeptModules()
    if (modules !== open) kept?.set(NAME, modules)
    const known = modules.#begin(context, await syntaxParser('python'))
    try {
      return await use(known)
    } finally {
      // Also after a cancelled call: otherwise they would be kept as long as the session.
      if ((modules.#known?.modules.chars ?? 0) > MOST_CHARS) modules.#forget()
      modules.#idle.start()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#forget()
  }

  #begin(context: VerbContext, parse: SyntaxParser): KnownModules {
    this.#idle.stop()
    if (context.dryRun && this.#files !== context.files) this.#forget()
    this.#files = context.files
    const gated = new GatedFiles(context)
    const modules = this.#known?.modules ?? new PythonModules(gated, context.session.root, parse)
    const isAsBefore = this.#known !== undefined && !modules.begin(gated)
    if (!isAsBefore || !this.#known) this.#known = { modules, meanings: new Meanings(modules) }
    return this.#known
  }

  #forget(): void {
    this.#idle.stop()
    this.#known = undefined
  }
}

import type { VerbContext } from '../../../../0-contracts/src/index.js'
import { syntaxParser, type SyntaxParser } from '../../../../2-syntax/src/index.js'
import { KeptWhileUsed } from '../kept-while-used.js'
import { GatedFiles } from '../typescript/gated-files.js'
import { Meanings } from './python-meanings.js'
import { PythonModules } from './python-modules.js'

/** Most source text whose modules are kept between calls, in UTF-16 units. */
const MOST_CHARS = 6_000_000

/** Modules of the root, and what is known of their names. */
export interface KnownModules {
  modules: PythonModules
  meanings: Meanings
}

/** The Python modules that a session has read. */
export class KeptModules extends KeptWhileUsed {
  #known: KnownModules | undefined
  #files: VerbContext['files'] | undefined

  /** @throws HermesError `NOT_INSTALLED`, `CANCELLED` */
  static async with<Result>(context: VerbContext, use: (known: KnownModules) => Promise<Result>): Promise<Result> {
    const modules = this.of(context.session, 'python-modules', KeptModules, () => new KeptModules())
    const known = modules.#open(context, await syntaxParser('python'))
    try {
      return await use(known)
    } finally {
      // Also after a cancelled call: otherwise they would be kept as long as the session.
      if ((modules.#known?.modules.chars ?? 0) > MOST_CHARS) modules.forget()
      modules.end()
    }
  }

  #open(context: VerbContext, parse: SyntaxParser): KnownModules {
    this.begin()
    if (context.dryRun && this.#files !== context.files) this.forget()
    this.#files = context.files
    const gated = new GatedFiles(context)
    const modules = this.#known?.modules ?? new PythonModules(gated, context.session.root, parse)
    const isAsBefore = this.#known !== undefined && !modules.begin(gated)
    if (!isAsBefore || !this.#known) this.#known = { modules, meanings: new Meanings(modules) }
    return this.#known
  }

  protected drop(): void {
    this.#known = undefined
  }
}

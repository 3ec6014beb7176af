import type { VerbContext } from '../../../../0-contracts/src/index.js'
import { type LanguageId, syntaxParser, type SyntaxParser } from '../../../../2-syntax/src/index.js'
import { indexOf } from '../../../../3-code-index/src/index.js'
import { KeptWhileUsed } from '../kept-while-used.js'
import { GatedFiles } from '../typescript/gated-files.js'
import { IndexedUnits, type ReadUnit } from './indexed-units.js'
import { SCOPED_LANGUAGES } from './language-scopes.js'
import { ScopedMeanings } from './scoped-meanings.js'

/** Most source text whose scopes are kept between calls, in UTF-16 units. */
const MOST_CHARS = 6_000_000

export interface KnownUnits {
  units: IndexedUnits
  meanings: ScopedMeanings
}

/** The scopes of files that a session has read. */
export class KeptUnits extends KeptWhileUsed {
  readonly #read = new Map<string, ReadUnit>()

  /** @throws HermesError `NOT_INSTALLED`, `CANCELLED` */
  static async with<Result>(
    context: VerbContext, verb: string, use: (known: KnownUnits) => Promise<Result>,
  ): Promise<Result> {
    const { session, dryRun } = context
    const units = dryRun ? new KeptUnits() : this.of(session, 'scoped-units', KeptUnits, () => new KeptUnits())
    units.begin()
    const start = context.gate.approve('.', 'read')
    const view = await indexOf(context).refresh({ start, kind: 'directory', shown: '.', verb }, context)
    const parsers = new Map<LanguageId, SyntaxParser>()
    for (const language of SCOPED_LANGUAGES) {
      if (view.files.some((file) => file.language === language)) parsers.set(language, await syntaxParser(language))
    }
    const gated = new GatedFiles(context)
    const indexed = new IndexedUnits({ view, gated, root: session.root, parsers, read: units.#read })
    try {
      return await use({ units: indexed, meanings: new ScopedMeanings(indexed) })
    } finally {
      // Also after a cancelled call: otherwise they would be kept as long as the session.
      const chars = [...units.#read.values()].reduce((sum, each) => sum + each.chars, 0)
      if (chars > MOST_CHARS) units.forget()
      units.end()
    }
  }

  protected drop(): void {
    this.#read.clear()
  }
}

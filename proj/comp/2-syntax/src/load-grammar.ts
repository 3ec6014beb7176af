import type { Parser, Query, QueryMatch, QueryOptions, Tree } from '@vscode/tree-sitter-wasm'
import { HermesError, isNodeError } from '../../0-contracts/src/index.js'
import { valueAt } from '../../0-text/src/index.js'
import { newTreeSitter, readGrammar, type TreeSitter } from './grammar-file.js'
import type { GrammarId } from './language-id.js'
import { LANGUAGES } from './languages/index.js'
import type { LanguageSyntax } from './languages/syntax-data.js'
import { identifierQuery } from './node-name.js'
import { optimizedLater } from './optimized-later.js'
import type { ParseClock } from './parse-time.js'

/** What queries find; `uses` are identifiers, and which of them are calls or name a type. */
export type QueryName = 'definitions' | 'identifiers' | 'uses' | 'imports' | 'errors'

export interface Grammar {
  syntax: LanguageSyntax
  /** Parser for this language; one is enough, since it is used synchronously. */
  parser: Parser
  /**
   * What a query finds in a tree. Queries are compiled on first use, which takes longer than parsing a file.
   *
   * @throws HermesError `TIMEOUT`
   */
  matches(query: QueryName, tree: Tree, clock: ParseClock, range?: QueryOptions): QueryMatch[]
}

/** The shared instance of tree-sitter with its grammars, for the life of the process. It holds no texts. */
let treeSitter: Promise<TreeSitter> | undefined
const grammars = new Map<GrammarId, Promise<Grammar>>()

/** @throws HermesError `NOT_INSTALLED` */
export function loadGrammar(language: GrammarId): Promise<Grammar> {
  return valueAt(grammars, language, () => {
    const grammar = load(treeSitter ??= newTreeSitter(), language)
    // After a failure, the next caller tries again.
    grammar.catch(forgetGrammars)
    return grammar
  })
}

/**
 * Loads a grammar into an instance of its own, for texts that may break it.
 *
 * @throws HermesError `NOT_INSTALLED`
 */
export function loadGrammarAlone(language: GrammarId): Promise<Grammar> {
  return load(newTreeSitter(), language)
}

/** Drops a broken shared instance; the next caller gets a new one. */
export function forgetGrammars(): void {
  treeSitter = undefined
  grammars.clear()
}

const MISSING = new Set(['MODULE_NOT_FOUND', 'ENOENT'])

async function load(instance: Promise<TreeSitter>, language: GrammarId): Promise<Grammar> {
  const syntax = LANGUAGES[language]
  try {
    const [{ Language, Parser: LanguageParser, Query: LanguageQuery }, bytes] = await Promise.all([
      instance, readGrammar(syntax.grammar),
    ])
    const compiled = await optimizedLater(async () => Language.load(bytes))
    const parser = new LanguageParser()
    parser.setLanguage(compiled)
    const identifiers = identifierQuery(syntax)
    const sources: Record<QueryName, string> = {
      definitions: syntax.definitions, identifiers, uses: `${identifiers}\n${syntax.uses}`, imports: syntax.imports,
      errors: '(ERROR) @error (MISSING) @error',
    }
    const queries = new Map<QueryName, Query>()
    return {
      syntax,
      parser,
      matches(name, tree, clock, range) {
        const query = valueAt(queries, name, () => new LanguageQuery(compiled, sources[name]))
        const matches = query.matches(tree.rootNode, { progressCallback: clock.isLate, ...range })
        // A query that was stopped early has incomplete results.
        clock.check()
        return matches
      },
    }
  } catch (error) {
    if (!isNodeError(error) || !MISSING.has(error.code)) throw error
    throw new HermesError('NOT_INSTALLED', `The parser for ${language} is not installed`, {
      hint: 'Use search_files, which needs no parser. The user can install hermes again: its files are not complete.',
      cause: error,
    })
  }
}

import type { Parser, Query } from '@vscode/tree-sitter-wasm'
import { HermesError, isNodeError } from '../../0-contracts/src/index.js'
import { newTreeSitter, readGrammar, type TreeSitter } from './grammar-file.js'
import type { GrammarId } from './language-id.js'
import { LANGUAGES } from './languages/index.js'
import type { LanguageSyntax } from './languages/syntax-data.js'
import { identifierQuery } from './node-name.js'
import { optimizedLater } from './optimized-later.js'

export interface Grammar {
  syntax: LanguageSyntax
  /** Parser for this language; one is enough, since it is used synchronously. */
  parser: Parser
  /** Queries are compiled on first use, which takes longer than parsing a file. */
  readonly definitions: Query
  readonly identifiers: Query
  /** Query for identifiers, and which of them are calls or name a type. */
  readonly uses: Query
  /** Absent where the language has no imports. */
  readonly imports: Query | undefined
  readonly errors: Query
}

/** The shared instance of tree-sitter with its grammars, for the life of the process. It holds no texts. */
let treeSitter: Promise<TreeSitter> | undefined
const grammars = new Map<GrammarId, Promise<Grammar>>()

/** @throws HermesError `NOT_INSTALLED` */
export function loadGrammar(language: GrammarId): Promise<Grammar> {
  let grammar = grammars.get(language)
  if (!grammar) {
    treeSitter ??= newTreeSitter()
    grammar = load(treeSitter, language)
    grammars.set(language, grammar)
    // After a failure, the next caller tries again.
    grammar.catch(forgetGrammars)
  }
  return grammar
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
    const names = identifierQuery(syntax)
    let [definitions, identifiers, uses, imports, errors]: (Query | undefined)[] = []
    return {
      syntax,
      parser,
      get definitions() {
        return definitions ??= new LanguageQuery(compiled, syntax.definitions)
      },
      get identifiers() {
        return identifiers ??= new LanguageQuery(compiled, names)
      },
      get uses() {
        return uses ??= new LanguageQuery(compiled, `${names}\n${syntax.uses ?? ''}`)
      },
      get imports() {
        return imports ??= syntax.imports === undefined ? undefined : new LanguageQuery(compiled, syntax.imports)
      },
      get errors() {
        return errors ??= new LanguageQuery(compiled, '(ERROR) @error (MISSING) @error')
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

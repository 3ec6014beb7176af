import type { StructuralPrograms } from '../grammar-file.js'

/** A pattern in ast-grep's rule format; a string is code. */
export type RulePattern = string | { context: string; selector?: string | undefined; strictness?: string | undefined }

/** A search query, for any language. */
export interface StructuralQuery {
  /** A pattern, or an ast-grep rule: `rule`, `constraints`, `utils`. */
  matcher: string | Readonly<Record<string, unknown>>
  /** All patterns it contains. */
  patterns: readonly RulePattern[]
  /** Names of its `$NAME` and `$$$NAME` variables. */
  names: readonly string[]
}

/** Start and end offset in a text, in UTF-16 units. */
export type Span = readonly [start: number, end: number]

export interface StructuralMatch {
  span: Span
  /** What `$NAME` and `$$$NAME` match; an empty `$$$NAME` is left out. */
  captures: readonly (readonly [name: string, ...Span])[]
}

/** A task for the thread: prepare a language, or search a text. */
export type ThreadTask =
  | { language: string; grammar: Uint8Array; expando: string }
  | { language: string; text: string; most: number }

/** A problem of a query in a language. */
export interface QueryDoubt {
  /** Message of ast-grep. */
  reason: string
  /** ast-grep rejects the query; otherwise it accepts it but usually finds nothing. */
  isRefusal: boolean
}

export type ThreadAnswer =
  /** The language is prepared. */
  | { doubt?: QueryDoubt }
  /** The requested matches, and the number of all. */
  | { matches: StructuralMatch[]; total: number; hasError: boolean }
  /** WebAssembly failed, by a stack overflow or a bug of ast-grep: the thread is unusable. */
  | { broken: string }

export interface ThreadJob {
  programs: StructuralPrograms
  query: StructuralQuery
}

/**
 * The whole program of the thread that runs ast-grep, which cannot be interrupted. It is started from its own source
 * text, so that it needs no file of the build; therefore it must use nothing but its argument and types.
 *
 * @param load Node's `require`
 */
export function structuralThread(load: (id: string) => unknown): void {
  const { parentPort, workerData } = load('node:worker_threads') as typeof import('node:worker_threads')
  const { compileFunction } = load('node:vm') as typeof import('node:vm')
  const { programs, query } = workerData as ThreadJob

  type TreeSitter = typeof import('@vscode/tree-sitter-wasm')
  type AstGrep = typeof import('@ast-grep/wasm')
  type Tree = import('@vscode/tree-sitter-wasm').Tree
  type SgNode = import('@ast-grep/wasm').SgNode

  const loadTreeSitter = async (): Promise<TreeSitter> => {
    const module = { exports: {} }
    // Its imports are Node modules; its own `require` shadows the thread's.
    const code = programs.treeSitter.replaceAll(/\bimport\(/g, 'importPart(')
    const run = compileFunction(
      code, ['exports', 'require', 'module', '__filename', '__dirname', 'importPart'],
    ) as (...args: unknown[]) => void
    run.call(module.exports, module.exports, load, module, 'tree-sitter.cjs', '.', load)
    const treeSitter = module.exports as TreeSitter
    const { Parser } = treeSitter
    const init = Parser.init.bind(Parser) as unknown as (settings: { wasmBinary: Uint8Array }) => Promise<void>
    await init({ wasmBinary: programs.treeSitterCore })
    return treeSitter
  }

  /** Trees of the text and its patterns, which ast-grep does not free. */
  const trees: Tree[] = []
  const grammars = new Map<string, Uint8Array>()
  const matchers = new Map<string, StructuralQuery['matcher']>()

  /** Makes ast-grep parse with this tree-sitter in place of the package it imports. */
  const loadAstGrep = async (): Promise<AstGrep> => {
    const { Parser, Language } = await loadTreeSitter()
    class KeptParser extends Parser {
      override parse(...args: Parameters<InstanceType<TreeSitter['Parser']>['parse']>): Tree | null {
        const tree = super.parse(...args)
        if (tree) trees.push(tree)
        return tree
      }
    }
    const languages = { load: async (name: string) => Language.load(grammars.get(name) ?? new Uint8Array()) }
    const names: string[] = []
    const code = programs.astGrep
      .replace(/^import [^\n]*$/m, '')
      .replace(/^export (function|class) (\w+)/gm, (_, kind: string, name: string) => {
        names.push(name)
        return `${kind} ${name}`
      })
    const make = compileFunction(`${code}\nreturn { ${names.join(', ')} }`, ['Parser', 'Language']) as (
      parser: unknown, language: unknown,
    ) => AstGrep & { __wbg_set_wasm: (exports: WebAssembly.Exports) => void }
    const astGrep = make(KeptParser, languages)
    const { instance } = await WebAssembly.instantiate(
      new Uint8Array(programs.astGrepCore), { './wasm_bg.js': astGrep as unknown as WebAssembly.ModuleImports },
    )
    astGrep.__wbg_set_wasm(instance.exports)
    const start = instance.exports['__wbindgen_start'] as () => void
    start()
    await astGrep.initializeTreeSitter()
    return astGrep
  }

  const ready = loadAstGrep()

  /** Languages in which a pattern's node is more than the code of the pattern. */
  const around = new Set(['php', 'go'])

  /**
   * Selects the one node of a pattern. PHP without its tag is text; behind a Go statement the grammar reports an empty
   * error, while ast-grep requires a single node.
   */
  const wholePattern = (astGrep: AstGrep, language: string, code: string): RulePattern => {
    const isPhp = language === 'php' && !code.trimStart().startsWith('<?')
    const context = isPhp ? `<?php ${code}` : code
    const plain = context.replaceAll(/\${1,3}(?=[A-Z_])|\${3}/g, (marks) => 'µ'.repeat(marks.length))
    const all = astGrep.parse(language, plain).root().children()
    const [first, ...others] = all.filter((each) => !each.is('php_tag') && each.text() !== '')
    if (!first || others.length > 0 || all.length === 1) return context
    let node = first
    // As in other languages, an expression without semicolon matches anywhere.
    while (isPhp && node.is('expression_statement') && !code.trimEnd().endsWith(';')) {
      const [inner, ...more]: SgNode[] = node.namedChildren()
      if (!inner || more.length > 0) break
      node = inner
    }
    return { context, selector: node.kind() }
  }

  /** The query for a language, with patterns adapted where necessary. */
  const matcherIn = (astGrep: AstGrep, language: string): StructuralQuery['matcher'] => {
    if (!around.has(language)) return query.matcher
    const change = (value: unknown, isPattern: boolean): unknown => {
      if (typeof value === 'string') return isPattern ? wholePattern(astGrep, language, value) : value
      if (Array.isArray(value)) return value.map((each) => change(each, false))
      if (typeof value !== 'object' || value === null) return value
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner, key === 'pattern')]))
    }
    const { matcher } = query
    const rule = typeof matcher === 'string' ? { rule: { pattern: matcher } } : matcher
    return change(rule, false) as Readonly<Record<string, unknown>>
  }

  const doubtOf = (astGrep: AstGrep, language: string): QueryDoubt | undefined => {
    try {
      astGrep.parse(language, '').root().find(matchers.get(language))
      for (const pattern of query.patterns) {
        const isChanged = around.has(language) && typeof pattern === 'string'
        const own = isChanged ? wholePattern(astGrep, language, pattern) : pattern
        const { context, selector, strictness } = typeof own === 'string'
          ? { context: own, selector: undefined, strictness: undefined } : own
        const { kind } = astGrep.dumpPattern(language, context, selector, strictness) as { kind: string }
        if (kind === 'ERROR') return { reason: `\`${context}\` is no whole code of the language`, isRefusal: false }
      }
      return undefined
    } catch (error) {
      if (!(error instanceof Error) || error instanceof WebAssembly.RuntimeError) throw error
      return { reason: error.message, isRefusal: true }
    }
  }

  const spanOf = (node: SgNode): Span => {
    const range = node.range()
    const span = [range.start.index, range.end.index] as const
    range.free()
    return span
  }

  const matchOf = (node: SgNode): StructuralMatch => {
    const captures = query.names.flatMap((name) => {
      const match = node.getMatch(name)
      const all = match ? [match] : node.getMultipleMatches(name)
      const spans = all.map(spanOf)
      for (const each of all) each.free()
      const [first] = spans
      return first ? [[name, first[0], spans.at(-1)![1]] as const] : []
    })
    return { span: spanOf(node), captures }
  }

  const search = (astGrep: AstGrep, language: string, text: string, most: number): ThreadAnswer => {
    const root = astGrep.parse(language, text)
    const hasError = trees.at(-1)!.rootNode.hasError
    const nodes = root.root().findAll(matchers.get(language))
    const matches = nodes.slice(0, most).map(matchOf)
    for (const node of nodes) node.free()
    root.free()
    return { matches, total: nodes.length, hasError }
  }

  const answer = async (task: ThreadTask): Promise<ThreadAnswer> => {
    const astGrep = await ready
    const { language } = task
    if ('text' in task) return search(astGrep, language, task.text, task.most)
    grammars.set(language, task.grammar)
    await astGrep.registerDynamicLanguage({ [language]: { libraryPath: language, expandoChar: task.expando } })
    matchers.set(language, matcherIn(astGrep, language))
    const doubt = doubtOf(astGrep, language)
    return doubt ? { doubt } : {}
  }

  parentPort?.on('message', async (task: ThreadTask) => {
    let done: ThreadAnswer
    try {
      done = await answer(task)
      for (const tree of trees.splice(0)) tree.delete()
    } catch (error) {
      done = { broken: String(error) }
    }
    parentPort.postMessage(done, [])
  })
}

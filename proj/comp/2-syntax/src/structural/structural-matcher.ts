import { Worker } from 'node:worker_threads'
import { HermesError, isNodeError } from '../../../0-contracts/src/index.js'
import { valueAt } from '../../../0-text/src/index.js'
import { readGrammar, readStructuralPrograms } from '../grammar-file.js'
import { type GrammarId, isPage, type ParsedId } from '../language-id.js'
import { LANGUAGES } from '../languages/index.js'
import { pageScripts } from '../page-scripts.js'
import { ParseTime, tooSlow } from '../parse-time.js'
import { bracketDepth, checkSize, DEEP, tooDeep } from '../with-tree.js'
import {
  type QueryDoubt, structuralThread, type StructuralMatch, type StructuralQuery, type ThreadAnswer, type ThreadJob,
  type ThreadTask,
} from './structural-thread.js'

/** Memory limit of the thread in MiB, without that of WebAssembly. */
const MOST_MEMORY = 1024
/** Time limit to prepare a language, in milliseconds: usually some hundred, far more on a busy machine. */
const MOST_READY_MS = 60_000
/** Time limit for one text, and shared budget beyond what correct code takes, in milliseconds. */
const MOST_TEXT_MS = 20_000
const SPARE_MS = 60_000
/** Most texts that may crash the thread; beyond that the query is too slow, or too complex for ast-grep. */
const MOST_LOST = 3
/**
 * What a pattern has in the place of `$` while the grammar reads it, where `$NAME` is no name in the language. The same
 * as in ast-grep's own languages.
 */
const EXPANDO: Partial<Record<GrammarId, string>> = {
  c: '_', cpp: '_', csharp: 'µ', elixir: 'µ', go: 'µ', kotlin: 'µ', php: 'µ', python: 'µ', ruby: 'µ', rust: 'µ',
  swift: 'µ',
}

export interface TextMatches {
  /** Grammar that parsed the text (for a page, of its scripts); absent for a page without scripts. */
  grammar?: GrammarId
  /** Problem of the query in this language. If ast-grep rejects the query, there are no matches. */
  doubt?: QueryDoubt
  /** In text order, outer matches before inner ones. */
  matches: StructuralMatch[]
  /** Number of all matches, including those beyond the requested number. */
  total: number
  /** The text has a syntax error, near which matches may be missing. */
  hasError: boolean
}

/**
 * Searches texts for one query by ast-grep, in a thread that starts with the first text. The thread is killed if a text
 * takes too long; killing it also frees all memory.
 */
export class StructuralMatcher implements AsyncDisposable {
  readonly #time = new ParseTime(SPARE_MS, MOST_TEXT_MS)
  readonly #grammars = new Map<GrammarId, Promise<Uint8Array>>()
  readonly #doubts = new Map<GrammarId, QueryDoubt | undefined>()
  #thread: Worker | undefined
  /** Languages that the thread has prepared. */
  readonly #ready = new Set<GrammarId>()
  #lost = 0
  /** Why the last thread ended by itself. */
  #fault = 'It ended.'

  constructor(private readonly query: StructuralQuery, private readonly signal: AbortSignal) {}

  /**
   * The problem of the query in a language, if any.
   *
   * @throws HermesError `NOT_INSTALLED`, `CANCELLED`, `TIMEOUT`; `INVALID_PARAMETER` for a query that crashes ast-grep
   */
  async doubt(language: GrammarId): Promise<QueryDoubt | undefined> {
    if (this.#ready.has(language)) return this.#doubts.get(language)
    const grammar = valueAt(this.#grammars, language, () => (
      readGrammar(LANGUAGES[language].grammar).catch(notInstalled)
    ))
    const expando = EXPANDO[language] ?? '$'
    const answer = await this.#ask({ language, grammar: await grammar, expando }, MOST_READY_MS)
    if ('matches' in answer || 'broken' in answer) {
      throw new HermesError('INVALID_PARAMETER', 'ast-grep failed on the query itself', {
        hint: `Write it in another way. ${'broken' in answer ? answer.broken : ''}`.trimEnd(),
      })
    }
    this.#doubts.set(language, answer.doubt)
    this.#ready.add(language)
    return answer.doubt
  }

  /**
   * The matches in a text.
   *
   * @param most number of matches to return
   * @throws HermesError `FILE_TOO_LARGE`, also for a text that is nested too deeply; `TIMEOUT`; `NOT_INSTALLED`;
   *   `CANCELLED`; `INVALID_PARAMETER` where the query is too complex for ast-grep
   */
  async matches(language: ParsedId, text: string, most: number): Promise<TextMatches> {
    const bom = text.startsWith('\ufeff') ? 1 : 0
    const source = text.slice(bom)
    checkSize(source)
    const code = isPage(language) ? pageScripts(language, source) : { language, code: source }
    if (code === undefined) return { matches: [], total: 0, hasError: false }
    if (bracketDepth(code.code) > DEEP) throw tooDeep()
    const grammar = code.language
    const doubt = await this.doubt(grammar)
    if (doubt?.isRefusal) return { grammar, doubt, matches: [], total: 0, hasError: false }
    const clock = this.#time.start(code.code)
    try {
      const answer = await this.#ask({ language: grammar, text: code.code, most }, clock.leftMs)
      if (!('matches' in answer)) throw this.#loss(new HermesError('TIMEOUT', 'ast-grep failed on the source'))
      return { grammar, ...(doubt && { doubt }), ...answer, matches: answer.matches.map((match) => moved(match, bom)) }
    } finally {
      clock.done()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    this.#ready.clear()
    await thread?.terminate()
  }

  /** @returns `broken` where the thread ended, for any reason */
  async #ask(task: ThreadTask, limitMs: number): Promise<ThreadAnswer> {
    const thread = this.#thread ??= await this.#start()
    if (this.signal.aborted) throw cancelled()
    const answer = await new Promise<ThreadAnswer | 'late' | 'aborted'>((resolve) => {
      const settle = (outcome: ThreadAnswer | 'late' | 'aborted'): void => {
        clearTimeout(timer)
        thread.off('message', settle).off('exit', end)
        this.signal.removeEventListener('abort', abort)
        resolve(outcome)
      }
      const timer = setTimeout(() => settle('late'), limitMs)
      const end = (): void => settle({ broken: this.#fault })
      const abort = (): void => settle('aborted')
      thread.on('message', settle).on('exit', end)
      this.signal.addEventListener('abort', abort, { once: true })
      thread.postMessage(task, [])
    })
    if (answer !== 'late' && answer !== 'aborted' && !('broken' in answer)) return answer
    await this[Symbol.asyncDispose]()
    if (answer === 'aborted') throw cancelled()
    if (answer === 'late') throw 'text' in task ? this.#loss(tooSlow()) : tooSlow()
    return answer
  }

  async #start(): Promise<Worker> {
    const programs = await readStructuralPrograms().catch(notInstalled)
    const thread = new Worker(`(${structuralThread.toString()})(require)`, {
      eval: true, env: {}, execArgv: [], workerData: { programs, query: this.query } satisfies ThreadJob,
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY },
    })
    // The `exit` event follows, on which the caller waits.
    return thread.on('error', (error) => {
      this.#fault = error.message
    })
  }

  /** @returns the error to throw for a text that crashed the thread */
  #loss(ofText: HermesError): HermesError {
    this.#lost++
    if (this.#lost < MOST_LOST) return ofText
    return new HermesError('INVALID_PARAMETER', `The query is too much for ast-grep: it ended on ${MOST_LOST} files`, {
      hint: 'Write a pattern with fewer $$$NAME, a rule with fewer relations, or a narrower path.', cause: ofText,
    })
  }
}

/** A byte order mark is not parsed. */
function moved({ span: [start, end], captures }: StructuralMatch, by: number): StructuralMatch {
  return {
    span: [start + by, end + by],
    captures: captures.map(([name, from, to]) => [name, from + by, to + by]),
  }
}

function cancelled(): HermesError {
  return new HermesError('CANCELLED', 'The run was cancelled')
}

function notInstalled(error: unknown): never {
  if (!isNodeError(error) || !['MODULE_NOT_FOUND', 'ENOENT'].includes(error.code)) throw error
  throw new HermesError('NOT_INSTALLED', 'The search by structure is not installed', {
    hint: 'Use search_files. The user can install hermes again: its files are not complete.', cause: error,
  })
}

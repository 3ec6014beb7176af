import {
  languageServerOf, type BrokenFile, type ExecutionResult, type FileChange, type FileStore,
  type LanguageServer, type VerbContext,
} from '../../../../0-contracts/src/index.js'
import type { ScriptProblem } from '../../../../4-verb-find/src/index.js'
import { clip } from '../../../../0-text/src/index.js'
import { shownPath } from './broken-files.js'
import { NotedFiles, textOf } from './noted-files.js'

/** Most files of one run that are checked: a patch may change hundreds. */
const MOST_FILES = 50
/** Most problems reported for one file. */
const MOST_PROBLEMS = 5
/** Longest message, in UTF-16 units. */
const LONGEST_MESSAGE = 300

const SCRIPT = /\.[cm]?[jt]sx?$/

/**
 * After the last block, asks the user's language servers and TypeScript's language service for problems in the files
 * that the run wrote (`checks: full`).
 */
export class CheckedScripts {
  /** The store that the run writes to. */
  readonly files: NotedFiles
  readonly #inner: FileStore
  /** `seq` of the last block that wrote each file, by path. */
  readonly #writers = new Map<string, number>()

  /** @param limitMs how long a run waits for the check */
  constructor(files: FileStore, private readonly limitMs: number, servers: readonly LanguageServer[] | undefined) {
    this.#inner = files
    this.files = new NotedFiles(files, MOST_FILES, (path) => (
      SCRIPT.test(path) || languageServerOf(path, servers) !== undefined
    ))
  }

  /** @param seq of the block that made the changes */
  wrote(changes: readonly FileChange[], seq: number): void {
    for (const { path } of changes) if (this.files.before.has(path)) this.#writers.set(path, seq)
  }

  /**
   * Adds new problems to the results of the blocks that last wrote the files; returns warnings.
   *
   * @param mask removes secrets
   */
  async tell(
    result: ExecutionResult, context: VerbContext, mask: <Value>(value: Value) => Value,
  ): Promise<readonly string[]> {
    const scripts = [...this.files.before].flatMap(([path, before]) => {
      const after = textOf(this.#inner, path)
      if (before === null || after === null || before === after || !this.#writers.has(path)) return []
      return [{ path, after, ...(before !== undefined && { before }) }]
    })
    if (scripts.length === 0) return []
    const { changedFileProblems } = await import('../../../../4-verb-find/src/index.js')
    const { problems, unknown } = await changedFileProblems(
      scripts, { ...context, files: this.#inner }, this.limitMs,
    )
    const lines = this.#linesOf(problems, result, context, mask)
    return context.signal.aborted ? lines : [...lines, ...unknown]
  }

  #linesOf(
    problems: ReadonlyMap<string, ScriptProblem[]>, result: ExecutionResult, context: VerbContext,
    mask: <Value>(value: Value) => Value,
  ): string[] {
    return [...problems].map(([path, all]) => {
      const diagnostics = all.slice(0, MOST_PROBLEMS).map((each) => (
        mask({ ...each, message: clip(each.message, LONGEST_MESSAGE) })
      ))
      const more = all.length - diagnostics.length
      const shown = shownPath(path, context.session.root)
      const line = diagnosticsLine(shown, diagnostics, more)
      const writer = result.results.find(({ seq }) => seq === this.#writers.get(path))
      if (writer) {
        const broken = writer.broke ??= []
        let own = broken.find((each) => each.path === shown)
        if (!own) broken.push(own = { path: shown, parseErrors: [], dropped: [] })
        own.diagnostics = diagnostics
        if (more > 0) own.moreDiagnostics = more
        writer.hint = writer.hint === undefined ? line : `${writer.hint}\n${line}`
      }
      return line
    })
  }
}

function diagnosticsLine(path: string, diagnostics: NonNullable<BrokenFile['diagnostics']>, more: number): string {
  const each = diagnostics.map(({ line, code, message }) => `line ${line} ${code} ${message}`)
  return `${path} has new problems: ${each.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

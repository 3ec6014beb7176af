import type {
  ApprovedPath, BrokenFile, ExecutionResult, FileChange, FileStore, VerbContext,
} from '../../../../0-contracts/src/index.js'
import { clip } from '../../../../0-text/src/index.js'
import { shownPath, textOf } from './broken-files.js'
import { NotedFiles } from './noted-files.js'

/** Files of one run that are looked at: a patch may change hundreds. */
const MOST_FILES = 50
/** What is told of one file. */
const MOST_PROBLEMS = 5
/** Of a message, in UTF-16 units. */
const LONGEST_MESSAGE = 300

const SCRIPT = /\.[cm]?[jt]sx?$/

/** What TypeScript's language service says of the scripts of a run, when its last block has run (`checks: full`). */
export class CheckedScripts {
  /** The store of the run. */
  readonly files: FileStore
  readonly #inner: FileStore
  readonly #limitMs: number
  /** As they were before the run; absent for a new file, `null` for what is no text that is looked at. */
  readonly #before = new Map<ApprovedPath, string | null | undefined>()
  /** By path, `seq` of the last block that wrote it. */
  readonly #writers = new Map<string, number>()

  /** @param limitMs how long a run waits for the language service */
  constructor(files: FileStore, limitMs: number) {
    this.#inner = files
    this.#limitMs = limitMs
    this.files = new NotedFiles(files, (path) => {
      if (!SCRIPT.test(path) || this.#before.size >= MOST_FILES) return
      this.#before.set(path, files.lstat(path) === undefined ? undefined : textOf(files, path))
    })
  }

  /** @param seq of the block that made them */
  wrote(changes: readonly FileChange[], seq: number): void {
    for (const { path } of changes) if (this.#before.has(path)) this.#writers.set(path, seq)
  }

  /**
   * Puts new problems into the results of the blocks that wrote the files last, and into the warnings.
   *
   * @param mask takes secrets out
   */
  async tell(
    result: ExecutionResult, context: VerbContext, mask: <Value>(value: Value) => Value,
  ): Promise<readonly string[]> {
    const scripts = [...this.#before].flatMap(([path, before]) => {
      const after = textOf(this.#inner, path)
      if (before === null || after === null || before === after || !this.#writers.has(path)) return []
      return [{ path, after, ...(before !== undefined && { before }) }]
    })
    if (scripts.length === 0) return []
    const { newProblems } = await import('../../../../4-verb-find/src/index.js')
    const { isWhole, problems } = await newProblems(scripts, { ...context, files: this.#inner }, this.#limitMs)
    if (!isWhole) {
      return context.signal.aborted ? []
        : [`TypeScript was not done within ${this.#limitMs / 1000} s: new problems of the changed files are not known`]
    }
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

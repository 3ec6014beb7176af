import { dirname } from 'node:path'
import type {
  DocumentRegistry, LanguageService, LanguageServiceHost, ParsedCommandLine, Program,
} from 'typescript'
import { valueAt } from '../../../../0-text/src/index.js'
import { DirectoryListings } from './directory-listings.js'
import type { GatedFiles } from './gated-files.js'
import type { TypeScript } from './load-typescript.js'
import type { Project } from './project.js'
import { SourceVersions } from './source-versions.js'

/** Methods that the service calls on its host, although TypeScript's types do not have them. */
interface FurtherQuestions {
  /** Whether imports of a referenced project's output lead to its sources. */
  useSourceOfProjectReferenceRedirect: () => boolean
  /** Whether imports must be resolved again although no file has changed. */
  hasInvalidatedResolutions: () => boolean
}

type Referenced = ReadonlyMap<string, ParsedCommandLine>

/**
 * The language service for one project. It starts with the project's declaration files, and loads files as they are
 * asked for, with their imports. It lives as long as the project's options stay the same: changed, added and removed
 * files are noticed when a call begins.
 */
export class LanguageProject implements Disposable {
  readonly service: LanguageService
  /**
   * Whether loading was stopped: files already read may belong to no program, so the document registry never frees
   * them.
   */
  wasStopped = false
  readonly #roots: Set<string>
  readonly #versions: SourceVersions
  readonly #missing = new DirectoryListings()
  readonly #existing = new Map<string, boolean>()
  /** Whether imports must be resolved again. */
  #isStale = false
  /** Version of the host's state: while unchanged, the service does not check each file again. */
  #told = 0
  /** Whether the work may continue. */
  #mayGoOn: () => boolean = () => true
  #isLoading = false

  constructor(
    private readonly ts: TypeScript, private project: Project, private referenced: Referenced,
    private gated: GatedFiles, documents: DocumentRegistry,
  ) {
    this.#versions = new SourceVersions(ts, gated)
    this.#roots = new Set(declarationsOf(project))
    this.service = ts.createLanguageService(this.#host(), documents)
  }

  /** Called at the beginning of each call. */
  begin(project: Project, referenced: Referenced, gated: GatedFiles): void {
    this.#told++
    this.#isLoading = false
    this.gated = gated
    this.#existing.clear()
    this.#versions.begin(gated)
    if (this.#missing.haveChanged(gated) || project.files.join('\n') !== this.project.files.join('\n')) {
      this.#isStale = true
    }
    this.project = project
    this.referenced = referenced
    for (const root of this.#roots) if (!gated.fileExists(root)) this.#roots.delete(root)
    this.add(declarationsOf(project))
  }

  add(files: Iterable<string>): void {
    const before = this.#roots.size
    for (const file of files) this.#roots.add(file)
    if (this.#roots.size > before) this.#told++
  }

  /**
   * Loads further files into the program.
   *
   * @param mayGoOn called before each file that is read
   * @returns `undefined` if it was stopped: the program is unchanged, but files already read need not be read again
   */
  loadWith(files: Iterable<string>, mayGoOn: () => boolean): Program | undefined {
    const before = [...this.#roots]
    this.add(files)
    this.#isLoading = true
    const program = this.unlessStopped(mayGoOn, () => this.service.getProgram())
    if (program) {
      this.#isLoading = false
    } else {
      this.#roots.clear()
      this.add(before)
      this.#told++
      this.wasStopped = true
    }
    return program
  }

  /** Asks the service; `undefined` if that was stopped. */
  unlessStopped<Answer>(mayGoOn: () => boolean, ask: () => Answer): Answer | undefined {
    this.#mayGoOn = mayGoOn
    try {
      return ask()
    } catch (error) {
      if (error instanceof this.ts.OperationCanceledException) return undefined
      throw error
    } finally {
      this.#mayGoOn = () => true
    }
  }

  /** Loads all files of the project. @returns whether any were added */
  addAll(): boolean {
    const before = this.#roots.size
    this.add(this.project.files)
    return this.#roots.size > before
  }

  get fileCount(): number {
    return this.project.files.length
  }

  /** Text of a file, or of TypeScript's own library. */
  text(path: string): string | undefined {
    return this.service.getProgram()?.getSourceFile(path)?.text ?? this.#versions.text(path)
  }

  /** Called at the end of each call. @returns size of the source text held, in UTF-16 units */
  end(): number {
    if (this.#isLoading) return this.#versions.chars
    const used = this.service.getProgram()?.getSourceFiles().map(({ fileName }) => fileName) ?? []
    this.#isStale = false
    this.#versions.keepOnly(new Set(used))
    return this.#versions.chars
  }

  [Symbol.dispose](): void {
    this.service.dispose()
  }

  #host(): LanguageServiceHost & FurtherQuestions {
    const ts = this.ts
    const versions = this.#versions
    return {
      getCompilationSettings: () => this.project.options,
      getProjectReferences: () => this.project.references,
      useSourceOfProjectReferenceRedirect: () => true,
      getParsedCommandLine: (config) => this.referenced.get(config),
      getScriptFileNames: () => [...this.#roots],
      getProjectVersion: () => String(this.#told),
      getCancellationToken: () => ({ isCancellationRequested: () => !this.#mayGoOn() }),
      getScriptVersion: (path) => versions.version(path),
      getScriptSnapshot: (path) => {
        if (this.#isLoading && !this.#mayGoOn()) throw new ts.OperationCanceledException()
        return versions.snapshot(path)
      },
      getCurrentDirectory: () => this.project.directory,
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
      hasInvalidatedResolutions: () => this.#isStale,
      fileExists: (path) => this.#exists(path, 'fileExists'),
      directoryExists: (path) => this.#exists(path, 'directoryExists'),
      readFile: (path) => versions.text(path),
      getDirectories: (path) => this.gated.getDirectories(path),
      realpath: (path) => this.gated.realpath(path),
    }
  }

  /** Whether a path exists; remembered, since a path created later changes what imports mean. */
  #exists(path: string, kind: 'fileExists' | 'directoryExists'): boolean {
    return valueAt(this.#existing, `${kind} ${path}`, () => {
      const exists = this.gated[kind](path)
      if (!exists) this.#missing.add(dirname(path), this.gated)
      return exists
    })
  }
}

function declarationsOf({ files }: Project): string[] {
  return files.filter((path) => /\.d\.[cm]?ts$/.test(path))
}

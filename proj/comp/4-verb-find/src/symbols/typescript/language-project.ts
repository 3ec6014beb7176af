import { dirname } from 'node:path'
import type {
  DocumentRegistry, LanguageService, LanguageServiceHost, ParsedCommandLine, Program,
} from 'typescript'
import { DirectoryListings } from './directory-listings.js'
import type { GatedFiles } from './gated-files.js'
import type { TypeScript } from './load-typescript.js'
import type { Project } from './project.js'
import { SourceVersions } from './source-versions.js'

/** What the service asks of its host, too, though TypeScript's types do not have it. */
interface FurtherQuestions {
  /** Whether imports of what a referenced project builds lead to its sources. */
  useSourceOfProjectReferenceRedirect: () => boolean
  /** Whether imports are to be looked up anew, though no file has changed. */
  hasInvalidatedResolutions: () => boolean
}

type Referenced = ReadonlyMap<string, ParsedCommandLine>

/**
 * The language service over one project. It begins with the declaration files of the project, and takes in files as
 * they are asked for, with all that they import. It lives as long as its options are those of the project: files that
 * change, come and go are noticed when a call begins.
 */
export class LanguageProject implements Disposable {
  readonly service: LanguageService
  /** Some files that it has read may belong to no program, so that the registry of documents never frees them. */
  wasStopped = false
  readonly #ts: TypeScript
  readonly #roots: Set<string>
  readonly #versions: SourceVersions
  readonly #missing = new DirectoryListings()
  readonly #existing = new Map<string, boolean>()
  #project: Project
  #referenced: Referenced
  #gated: GatedFiles
  /** Imports are to be looked up anew. */
  #isStale = false
  /** A number for what the service has been told: as long as it stays, it does not look at each file again. */
  #told = 0
  /** Whether the work is to be stopped now. */
  #mayGoOn: () => boolean = () => true
  #isLoading = false

  constructor(
    ts: TypeScript, project: Project, referenced: Referenced, gated: GatedFiles, documents: DocumentRegistry,
  ) {
    this.#ts = ts
    this.#project = project
    this.#referenced = referenced
    this.#gated = gated
    this.#versions = new SourceVersions(ts, gated)
    this.#roots = new Set(declarationsOf(project))
    this.service = ts.createLanguageService(this.#host(), documents)
  }

  /** A new call begins. */
  begin(project: Project, referenced: Referenced, gated: GatedFiles): void {
    this.#told++
    this.#isLoading = false
    this.#gated = gated
    this.#existing.clear()
    this.#versions.begin(gated)
    if (this.#missing.haveChanged(gated) || project.files.join('\n') !== this.#project.files.join('\n')) {
      this.#isStale = true
    }
    this.#project = project
    this.#referenced = referenced
    for (const root of this.#roots) if (!gated.fileExists(root)) this.#roots.delete(root)
    this.add(declarationsOf(project))
  }

  add(files: Iterable<string>): void {
    const before = this.#roots.size
    for (const file of files) this.#roots.add(file)
    if (this.#roots.size > before) this.#told++
  }

  /**
   * The program with some files more.
   *
   * @param mayGoOn asked before each file that is read
   * @returns `undefined` where it was stopped: it stays as it was, but what was read by then need not be read again
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

  /** What is asked of the service, or `undefined` where that was stopped. */
  unlessStopped<Answer>(mayGoOn: () => boolean, ask: () => Answer): Answer | undefined {
    this.#mayGoOn = mayGoOn
    try {
      return ask()
    } catch (error) {
      if (error instanceof this.#ts.OperationCanceledException) return undefined
      throw error
    } finally {
      this.#mayGoOn = () => true
    }
  }

  /** Takes in all files of the project. @returns whether there were others */
  addAll(): boolean {
    const before = this.#roots.size
    this.add(this.#project.files)
    return this.#roots.size > before
  }

  get fileCount(): number {
    return this.#project.files.length
  }

  /** Text of a file, and of TypeScript's own library. */
  text(path: string): string | undefined {
    return this.service.getProgram()?.getSourceFile(path)?.text ?? this.#versions.text(path)
  }

  /** The call is over. @returns how much it holds, in UTF-16 units of source text */
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
    const ts = this.#ts
    const versions = this.#versions
    return {
      getCompilationSettings: () => this.#project.options,
      getProjectReferences: () => this.#project.references,
      useSourceOfProjectReferenceRedirect: () => true,
      getParsedCommandLine: (config) => this.#referenced.get(config),
      getScriptFileNames: () => [...this.#roots],
      getProjectVersion: () => String(this.#told),
      getCancellationToken: () => ({ isCancellationRequested: () => !this.#mayGoOn() }),
      getScriptVersion: (path) => versions.version(path),
      getScriptSnapshot: (path) => {
        if (this.#isLoading && !this.#mayGoOn()) throw new ts.OperationCanceledException()
        return versions.snapshot(path)
      },
      getCurrentDirectory: () => this.#project.directory,
      getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
      useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
      hasInvalidatedResolutions: () => this.#isStale,
      fileExists: (path) => this.#exists(path, 'fileExists'),
      directoryExists: (path) => this.#exists(path, 'directoryExists'),
      readFile: (path) => versions.text(path),
      getDirectories: (path) => this.#gated.getDirectories(path),
      realpath: (path) => this.#gated.realpath(path),
    }
  }

  /** What is not there may come later: then imports mean something else. */
  #exists(path: string, kind: 'fileExists' | 'directoryExists'): boolean {
    const key = `${kind} ${path}`
    const known = this.#existing.get(key)
    if (known !== undefined) return known
    const exists = this.#gated[kind](path)
    this.#existing.set(key, exists)
    if (!exists) this.#missing.add(dirname(path), this.#gated)
    return exists
  }
}

function declarationsOf({ files }: Project): string[] {
  return files.filter((path) => /\.d\.[cm]?ts$/.test(path))
}

import { dirname } from 'node:path'
import type { DocumentRegistry, LanguageService, LanguageServiceHost, ParsedCommandLine } from 'typescript'
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
    for (const file of files) this.#roots.add(file)
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
      getScriptVersion: (path) => versions.version(path),
      getScriptSnapshot: (path) => versions.snapshot(path),
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

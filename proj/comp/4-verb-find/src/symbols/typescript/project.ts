import { dirname, join, relative, sep } from 'node:path'
import type { CompilerOptions, ParseConfigFileHost, ParsedCommandLine, ProjectReference } from 'typescript'
import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import { valueAt } from '../../../../0-text/src/index.js'
import { DirectoryListings } from './directory-listings.js'
import type { GatedFiles } from './gated-files.js'
import { includedFiles, startOf } from './included-files.js'
import type { TypeScript } from './load-typescript.js'
import { sourcesBelow } from './sources-below.js'

export interface Project {
  /** Path of its configuration; absent for files that have none. */
  config?: string
  directory: string
  options: CompilerOptions
  /** Absolute; empty without a configuration. */
  files: readonly string[]
  references: readonly ProjectReference[]
}

/** Most configurations read for one file, so that no repository takes all the time. */
const MOST_CONFIGS = 100

/**
 * The configurations of the projects that files belong to, each read once. For scripts, `.js` and similar files are
 * part of a project whatever `allowJs` says: names in them should resolve as in the TypeScript beside them.
 */
export class ProjectConfigs {
  readonly #parsed = new Map<string, Promise<ParsedCommandLine | undefined>>()
  /** Directories that determined which files belong to a project. */
  readonly #listed = new DirectoryListings()
  /** Configurations read, including extended ones, with their stamps. */
  readonly #read = new Map<string, string>()

  constructor(private readonly ts: TypeScript, private gated: GatedFiles, private context: VerbContext) {}

  /** Called at the beginning of each call. @returns false if anything changed, so that all must be read again */
  begin(gated: GatedFiles, context: VerbContext): boolean {
    this.gated = gated
    this.context = context
    if (!gated.isOnDisk || this.#listed.haveChanged(gated)) return false
    for (const [path, stamp] of this.#read) if (gated.provenStampOf(path) !== stamp) return false
    return true
  }

  /**
   * The project that includes a file: that of the nearest `tsconfig.json` or `jsconfig.json`, of those it references,
   * or of the next above. If none includes it, the nearest that has files; else a project with default options.
   */
  async projectOf(file: ApprovedPath): Promise<Project> {
    const isScript = isScriptName(file)
    const seen = new Map<string, ParsedCommandLine>()
    for (const nearest of configsAbove(file, this.gated)) {
      const owner = await this.#readAmong([nearest], isScript, seen, file)
      if (owner !== undefined) return this.#project(owner, seen.get(owner)!, isScript)
    }
    const [first] = seen
    const fallback = [...seen].find(([, { fileNames }]) => fileNames.length > 0) ?? first
    if (fallback) return this.#project(...fallback, isScript)
    return {
      directory: this.#packageOf(file), files: [], references: [],
      // As editors use for files without a project.
      options: {
        ...unlessSet(this.ts, {}),
        target: this.ts.ScriptTarget.ESNext,
        allowJs: true,
        resolveJsonModule: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        ...forScripts(isScript),
      },
    }
  }

  /** The directory of the nearest `package.json`, else the root, or the file's own if it is outside the root. */
  #packageOf(file: ApprovedPath): string {
    const { root } = this.context.session
    if (relative(root, file).startsWith('..')) return dirname(file)
    for (let directory = dirname(file); directory !== root; directory = dirname(directory)) {
      if (this.gated.fileExists(join(directory, 'package.json'))) return directory
    }
    return root
  }

  /** The configurations that a project's `references` name, for the language service. */
  async referenced(references: readonly ProjectReference[]): Promise<Map<string, ParsedCommandLine>> {
    const configs = new Map<string, ParsedCommandLine>()
    await this.#readAmong(this.#pathsOf(references), false, configs)
    return configs
  }

  /**
   * Reads configurations and those they reference, up to the first that includes a file: it is returned. All that were
   * read are in `seen`.
   */
  async #readAmong(
    open: string[], isScript: boolean, seen: Map<string, ParsedCommandLine>, file?: string,
  ): Promise<string | undefined> {
    for (let config = open.shift(); config !== undefined && seen.size < MOST_CONFIGS; config = open.shift()) {
      if (seen.has(config)) continue
      const parsed = await this.#parse(config, isScript)
      if (!parsed) continue
      seen.set(config, parsed)
      if (file !== undefined && parsed.fileNames.includes(file)) return config
      open.push(...this.#pathsOf(parsed.projectReferences))
    }
    return undefined
  }

  #pathsOf(references: readonly ProjectReference[] = []): string[] {
    return references.map((reference) => this.ts.resolveProjectReferencePath(reference))
  }

  #project(config: string, parsed: ParsedCommandLine, isScript: boolean): Project {
    const ts = this.ts
    return {
      config,
      directory: dirname(config),
      options: { ...unlessSet(ts, parsed.options), ...parsed.options, ...forScripts(isScript), noEmit: true },
      files: parsed.fileNames,
      references: parsed.projectReferences ?? [],
    }
  }

  #parse(config: string, isScript: boolean): Promise<ParsedCommandLine | undefined> {
    return valueAt(this.#parsed, `${isScript} ${config}`, () => this.#parseNow(config, isScript))
  }

  /**
   * Parses a configuration twice: the first pass tells which directories' files to list, asynchronously, in between.
   */
  async #parseNow(config: string, isScript: boolean): Promise<ParsedCommandLine | undefined> {
    const path = this.gated.approve(config)
    if (path === undefined || !this.gated.fileExists(path)) return undefined
    const starts = new Set<string>()
    const sources: string[] = []
    const readFile = (file: string): string | undefined => {
      this.#read.set(file, this.gated.provenStampOf(file))
      return this.gated.readFile(file)
    }
    const parse = (): ParsedCommandLine | undefined => {
      const ts = this.ts
      const host: ParseConfigFileHost = {
        useCaseSensitiveFileNames: ts.sys.useCaseSensitiveFileNames,
        getCurrentDirectory: () => dirname(path),
        fileExists: this.gated.fileExists,
        readFile,
        readDirectory: (start, extensions, excludes, includes) => {
          for (const pattern of includes) starts.add(startOf(start, pattern))
          return includedFiles(sources, start, { extensions, includes, excludes: excludes ?? [] })
        },
        onUnRecoverableConfigFileDiagnostic: () => undefined,
      }
      return ts.getParsedCommandLineOfConfigFile(path, isScript ? { allowJs: true } : undefined, host)
    }
    const unlisted = parse()
    if (starts.size === 0) return unlisted
    const onDirectory = (directory: string): void => this.#listed.add(directory, this.gated)
    for (const start of starts) {
      const isBelowOther = [...starts].some((other) => (
        other !== start && start.startsWith(other.endsWith(sep) ? other : other + sep)
      ))
      if (isBelowOther) continue
      const approved = this.gated.approve(start)
      if (approved === undefined) continue
      if (this.gated.fileExists(approved)) sources.push(approved)
      else sources.push(...await sourcesBelow(approved, this.context, onDirectory))
    }
    return parse()
  }
}

/** The configurations in a file's directory and those above it, nearest first. */
export function* configsAbove(file: ApprovedPath, gated: GatedFiles): Generator<string, void> {
  for (let directory = dirname(file); gated.approve(directory) !== undefined; directory = dirname(directory)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const config = gated.approve(join(directory, name))
      if (config === undefined || !gated.fileExists(config)) continue
      yield config
      break
    }
    if (directory === dirname(directory)) break
  }
}

export function isScriptName(file: string): boolean {
  return /\.[cm]?jsx?$/.test(file)
}

/**
 * Fills in options that a project leaves open: bundler-style module resolution, and JSX. Unresolved code would be of no
 * use.
 */
function unlessSet(ts: TypeScript, { module, moduleResolution, jsx }: CompilerOptions): CompilerOptions {
  return {
    ...(module === undefined && moduleResolution === undefined
      && { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }),
    ...(jsx === undefined && { jsx: ts.JsxEmit.Preserve }),
  }
}

function forScripts(isScript: boolean): CompilerOptions {
  return isScript ? { allowJs: true, maxNodeModuleJsDepth: 2 } : {}
}

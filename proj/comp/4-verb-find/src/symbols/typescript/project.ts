import { dirname, join } from 'node:path'
import type { CompilerOptions, ParseConfigHost } from 'typescript'
import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import { walk } from '../../../../2-files/src/index.js'
import type { GatedFiles } from './gated-files.js'
import { includedFiles } from './included-files.js'
import type { TypeScript } from './load-typescript.js'

export interface Project {
  directory: string
  options: CompilerOptions
  /** Absolute; empty without a configuration. */
  files: readonly string[]
}

/** Files of a project that are listed at most. */
const MOST_FILES = 20_000

/** The project a file belongs to: by the nearest `tsconfig.json` or `jsconfig.json`, or none with usual options. */
export async function projectOf(
  ts: TypeScript, file: ApprovedPath, gated: GatedFiles, context: VerbContext,
): Promise<Project> {
  const config = nearestConfig(file, gated)
  const isScript = /\.[cm]?jsx?$/.test(file)
  if (config === undefined) {
    return { directory: dirname(file), options: { ...usualOptions(ts), ...forScripts(isScript) }, files: [] }
  }
  const directory = dirname(config)
  const below = await sourcesBelow(directory as ApprovedPath, context)
  const host: ParseConfigHost = {
    useCaseSensitiveFileNames: ts.sys.useCaseSensitiveFileNames,
    fileExists: gated.fileExists,
    readFile: gated.readFile,
    readDirectory: (start, extensions, excludes, includes) => (
      includedFiles(below, start, { extensions, includes, excludes: excludes ?? [] })
    ),
  }
  const { config: json = {} } = ts.readConfigFile(config, gated.readFile) as { config?: object }
  const parsed = ts.parseJsonConfigFileContent(json, host, directory, undefined, config)
  return {
    directory,
    options: { ...unlessSet(ts, parsed.options), ...parsed.options, ...forScripts(isScript), noEmit: true },
    files: parsed.fileNames,
  }
}

/** The `tsconfig.json` or `jsconfig.json` that is nearest above a file. */
export function nearestConfig(file: ApprovedPath, gated: GatedFiles): string | undefined {
  for (let directory = dirname(file); gated.approve(directory) !== undefined; directory = dirname(directory)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const config = gated.approve(join(directory, name))
      if (config !== undefined && gated.fileExists(config)) return config
    }
    if (directory === dirname(directory)) break
  }
  return undefined
}

/** Files of the languages below a directory, but for installed packages. */
export async function sourcesBelow(directory: ApprovedPath, context: VerbContext): Promise<string[]> {
  const found: string[] = []
  const walked = walk(directory, context, {
    enters: (relative) => !/(?:^|\/)node_modules$/.test(relative),
    onUnreadable: () => undefined,
  })
  for await (const { relative } of walked) {
    if (/\.[cm]?[jt]sx?$/.test(relative)) found.push(join(directory, relative))
    if (found.length === MOST_FILES) break
  }
  return found
}

/** As editors do for files without a project. */
function usualOptions(ts: TypeScript): CompilerOptions {
  return {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve,
    allowJs: true,
    resolveJsonModule: true,
    allowImportingTsExtensions: true,
    noEmit: true,
  }
}

/** A project that says nothing of modules may resolve as bundlers do: code without meaning would be no help. */
function unlessSet(ts: TypeScript, { module, moduleResolution }: CompilerOptions): CompilerOptions {
  return module === undefined && moduleResolution === undefined
    ? { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }
    : {}
}

function forScripts(isScript: boolean): CompilerOptions {
  return isScript ? { allowJs: true, maxNodeModuleJsDepth: 2 } : {}
}

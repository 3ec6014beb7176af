import type { DefinitionInfo, LanguageService, LanguageServiceHost } from 'typescript'
import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import type { FoundDefinition } from '../found-definition.js'
import { definitionKind } from './definition-kind.js'
import { GatedFiles } from './gated-files.js'
import { loadTypeScript, type TypeScript } from './load-typescript.js'
import { placeOf, positionOf } from './positions.js'
import { type Project, projectOf } from './project.js'

/** Files of a project that are all looked at where those that a file imports were not enough. */
const MOST_FILES = 2000

/**
 * What the TypeScript language service says is the definition at a place of a TypeScript or JavaScript file. It sees
 * the file, what that imports and the declaration files of its project; then, if that tells nothing, the whole project.
 *
 * @param isName whether there is a name at the place
 * @returns `undefined` where code is nested so deeply that the service overflows the stack
 * @throws HermesError `NOT_INSTALLED`, `CANCELLED`
 */
export async function findInProject(
  file: ApprovedPath, line: number, column: number, context: VerbContext, isName: () => Promise<boolean>,
): Promise<FoundDefinition[] | undefined> {
  try {
    return await find(file, line, column, context, isName)
  } catch (error) {
    // The service is of this call alone: what it holds is gone with it.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

async function find(
  file: ApprovedPath, line: number, column: number, context: VerbContext, isName: () => Promise<boolean>,
): Promise<FoundDefinition[]> {
  const ts = loadTypeScript()
  const gated = new GatedFiles(context, ts)
  const project = await projectOf(ts, file, gated, context)
  const declarations = project.files.filter((path) => /\.d\.[cm]?ts$/.test(path))
  const found = ask(ts, [file, ...declarations], project, gated, file, line, column)
  const isAll = project.files.every((path) => path === file || declarations.includes(path))
  if (found.length > 0 || isAll || project.files.length > MOST_FILES) return found
  // Without a name there all files tell no more.
  return await isName() ? ask(ts, [file, ...project.files], project, gated, file, line, column) : found
}

function ask(
  ts: TypeScript, roots: readonly string[], project: Project, gated: GatedFiles, file: string, line: number,
  column: number,
): FoundDefinition[] {
  const service = ts.createLanguageService(hostOf(ts, [...new Set(roots)], project, gated), ts.createDocumentRegistry())
  try {
    const text = service.getProgram()?.getSourceFile(file)?.text
    if (text === undefined) return []
    const found = service.getDefinitionAtPosition(file, positionOf(text, line, column)) ?? []
    return found.flatMap((info) => describe(info, service, gated) ?? [])
  } finally {
    service.dispose()
  }
}

function describe(info: DefinitionInfo, service: LanguageService, gated: GatedFiles): FoundDefinition | undefined {
  const text = service.getProgram()?.getSourceFile(info.fileName)?.text ?? gated.readFile(info.fileName)
  if (text === undefined) return undefined
  const { start, length } = info.contextSpan ?? info.textSpan
  const path = gated.isLibrary(info.fileName) ? undefined : gated.approve(info.fileName)
  return {
    ...(path === undefined ? { library: info.fileName } : { path }),
    text,
    name: info.name,
    kind: definitionKind(info.kind, text.slice(start, start + 100)),
    ...placeOf(text, info.textSpan.start),
    startLine: placeOf(text, start).line,
    endLine: placeOf(text, start + length).line,
  }
}

function hostOf(
  ts: TypeScript, roots: string[], { directory, options }: Project, gated: GatedFiles,
): LanguageServiceHost {
  const texts = new Map<string, string | undefined>()
  const readFile = (path: string): string | undefined => {
    if (!texts.has(path)) texts.set(path, gated.readFile(path))
    return texts.get(path)
  }
  return {
    getCompilationSettings: () => options,
    getScriptFileNames: () => roots,
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = readFile(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => directory,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: gated.fileExists,
    readFile,
    directoryExists: gated.directoryExists,
    getDirectories: gated.getDirectories,
    realpath: gated.realpath,
  }
}

import type { DefinitionInfo } from 'typescript'
import { type ApprovedPath, caughtLater, type VerbContext } from '../../../../0-contracts/src/index.js'
import { type DefinitionKind, lineStarts, placeIn } from '../../../../2-syntax/src/index.js'
import type { DefinitionAnswer, FoundDefinition } from '../found-definition.js'
import { externalModule } from './external-module.js'
import type { GatedFiles } from './gated-files.js'
import { KeptProjects } from './kept-projects.js'
import type { LanguageProject } from './language-project.js'
import type { TypeScript } from './load-typescript.js'

/** Most files of a project for which all are loaded, where a file's imports were not enough. */
export const MOST_FILES = 2000

/**
 * Asks the TypeScript language service for the definition at a place in a TypeScript or JavaScript file. The service
 * sees the file, its imports and the project's declaration files; if it has no answer, then the whole project.
 *
 * @param isName whether there is a name at the place
 * @returns `undefined` where code is nested so deeply that the service overflows the stack
 * @throws HermesError `NOT_INSTALLED`, `CANCELLED`
 */
export async function findInProject(
  file: ApprovedPath, line: number, column: number, context: VerbContext, isName: () => Promise<boolean>,
): Promise<DefinitionAnswer | undefined> {
  return await caughtLater(RangeError, () => KeptProjects.with(context, async ({ gated, projectOf }, ts) => {
    const project = await projectOf(file)
    project.add([file])
    const answer = ask(ts, project, gated, file, line, column)
    if (answer.found.length > 0 || answer.external !== undefined || project.fileCount > MOST_FILES) return answer
    // Without a name there, loading all files would not help.
    return await isName() && project.addAll() ? ask(ts, project, gated, file, line, column) : answer
  }), () => undefined)
}

function ask(
  ts: TypeScript, project: LanguageProject, gated: GatedFiles, file: string, line: number, column: number,
): DefinitionAnswer {
  const source = project.service.getProgram()?.getSourceFile(file)
  if (source === undefined) return { found: [] }
  const position = positionOf(source.text, line, column)
  const infos = project.service.getDefinitionAtPosition(file, position) ?? []
  const external = externalModule(ts, project.service, source, position, infos)
  const definitions = infos.flatMap((info) => describe(info, project, gated) ?? [])
  return { found: definitions, ...(external !== undefined && { external }) }
}

function describe(info: DefinitionInfo, project: LanguageProject, gated: GatedFiles): FoundDefinition | undefined {
  const text = project.text(info.fileName)
  if (text === undefined) return undefined
  const { start, length } = info.contextSpan ?? info.textSpan
  const lines = lineStarts(text)
  const path = gated.isLibrary(info.fileName) ? undefined : gated.approve(info.fileName)
  return {
    ...(path === undefined ? { library: info.fileName } : { path }),
    text,
    name: info.name,
    kind: definitionKind(info.kind, text.slice(start, start + 100)),
    ...placeIn(lines, info.textSpan.start),
    startLine: placeIn(lines, start).line,
    endLine: placeIn(lines, start + length).line,
    resolved: true,
  }
}

/** Offset of a place; a column beyond its line is the line's end. */
function positionOf(text: string, line: number, column: number): number {
  const starts = lineStarts(text)
  const end = (starts[line] ?? text.length + 1) - 1
  return Math.min((starts[line - 1] ?? text.length) + column - 1, end)
}

/** Of TypeScript's `ScriptElementKind`; what is not here is a variable: parameters, properties, enum members. */
const KINDS = {
  class: ['class', 'local class', 'interface', 'type', 'type parameter', 'enum', 'module', 'script'],
  function: ['function', 'local function'],
  method: ['method', 'getter', 'setter', 'constructor', 'construct', 'call'],
} as const
const BY_NAME: ReadonlyMap<string, DefinitionKind> = new Map(Object.entries(KINDS).flatMap(([kind, names]) => (
  names.map((name) => [name, kind as DefinitionKind] as const)
)))

const WORDS =
  /^(?:export |default |declare |abstract |const (?=enum))*(class|interface|enum|type|namespace|module|function)\b/

/**
 * @param kind TypeScript's: that of the whole symbol, also where a type and a value share a name
 * @param text the declaration, which says more
 */
function definitionKind(kind: string, text: string): DefinitionKind {
  const [, word] = WORDS.exec(text) ?? []
  if (word !== undefined) return word === 'function' ? 'function' : 'class'
  return BY_NAME.get(kind) ?? 'variable'
}

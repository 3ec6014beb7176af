import type { DefinitionInfo, Expression, LanguageService, Node, SourceFile } from 'typescript'
import { caughtLater, type ApprovedPath, type VerbContext } from '../../../../0-contracts/src/index.js'
import { lineStarts, placeIn, type DefinitionKind } from '../../../../2-syntax/src/index.js'
import type { DefinitionAnswer, FoundDefinition } from '../found-definition.js'
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

/**
 * The module that a name comes from, if the language service cannot find that module: a package that is not installed,
 * or one outside the root. Members of such an import come from it too.
 *
 * @param definitions the service's definitions for the place
 */
function externalModule(
  ts: TypeScript, service: LanguageService, source: SourceFile, position: number,
  definitions: readonly DefinitionInfo[],
): string | undefined {
  if (definitions.length > 0) return moduleOfImports(ts, source, definitions)
  const first = firstOfChain(ts, nodeAt(ts, source, position))
  if (first === undefined) return undefined
  return moduleOfImports(ts, source, service.getDefinitionAtPosition(source.fileName, first.getStart(source)) ?? [])
}

/** The module, if all definitions are imports of a single one. */
function moduleOfImports(
  ts: TypeScript, source: SourceFile, definitions: readonly DefinitionInfo[],
): string | undefined {
  const modules = new Set(definitions.map(({ kind, fileName, textSpan }) => (
    kind === ts.ScriptElementKind.alias && fileName === source.fileName
      ? moduleImported(ts, source, textSpan.start) : undefined
  )))
  const [name] = modules
  return modules.size === 1 && name !== undefined && !/^\.{0,2}\//.test(name) ? name : undefined
}

function moduleImported(ts: TypeScript, source: SourceFile, position: number): string | undefined {
  const statement = source.statements.find(({ pos, end }) => pos <= position && position < end)
  if (!statement) return undefined
  if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) {
    const { moduleSpecifier: module } = statement
    return module && ts.isStringLiteral(module) ? module.text : undefined
  }
  if (!ts.isImportEqualsDeclaration(statement) || !ts.isExternalModuleReference(statement.moduleReference)) {
    return undefined
  }
  const { expression } = statement.moduleReference
  return ts.isStringLiteral(expression) ? expression.text : undefined
}

/** `a` of `a.b.c` and of `a.b().c`, asked at `c`. */
function firstOfChain(ts: TypeScript, name: Node | undefined): Expression | undefined {
  const access = name?.parent
  if (!access || !ts.isPropertyAccessExpression(access) || access.name !== name) return undefined
  let first: Expression = access.expression
  while (ts.isPropertyAccessExpression(first) || ts.isCallExpression(first) || ts.isNonNullExpression(first)) {
    first = first.expression
  }
  return ts.isIdentifier(first) ? first : undefined
}

function nodeAt(ts: TypeScript, source: SourceFile, position: number): Node | undefined {
  let name: Node | undefined
  const visit = (node: Node): void => {
    if (position < node.getStart(source) || position > node.end) return
    if (ts.isIdentifier(node)) name = node
    else ts.forEachChild(node, visit)
  }
  visit(source)
  return name
}

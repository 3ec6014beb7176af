import type { DefinitionInfo, Expression, LanguageService, Node, SourceFile } from 'typescript'
import type { TypeScript } from './load-typescript.js'

/**
 * The module that a name comes from, if the language service cannot find that module: a package that is not installed,
 * or one outside the root. Members of such an import come from it too.
 *
 * @param definitions the service's definitions for the place
 */
export function externalModule(
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
  let found: Node | undefined
  const visit = (node: Node): void => {
    if (position < node.getStart(source) || position > node.end) return
    if (ts.isIdentifier(node)) found = node
    else ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

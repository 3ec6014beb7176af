import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'

/** A declaration as text: `file:line:column kind name`, the place of the name, from 1. */
export type DeclarationKey = string

/** The TypeScript sources below a directory, not declaration files; relative. */
export function typescriptSources(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .filter((path) => !/(?:^|\/)node_modules\//.test(path))
    .sort()
}

/**
 * The TypeScript compiler's own list: every declaration of every symbol its binder makes, by name. Left out are what
 * find_symbol does not look for: parameters, type parameters, caught errors, imports and exports, properties of object
 * literals that are no functions, and symbols without a plain name.
 */
export function compilerSymbols(directory: string): Map<string, Set<DeclarationKey>> {
  const byName = new Map<string, Set<DeclarationKey>>()
  for (const file of typescriptSources(directory)) {
    const source = ts.createSourceFile(file, readFileSync(join(directory, file), 'utf8'), ts.ScriptTarget.Latest, true)
    for (const { name, kind, start } of declarationsOf(source)) {
      const { line, character } = source.getLineAndCharacterOfPosition(start)
      const keys = byName.get(name) ?? new Set()
      byName.set(name, keys.add(`${file}:${line + 1}:${character + 1} ${kind} ${name}`))
    }
  }
  return byName
}

interface Declaration {
  name: string
  kind: string
  start: number
}

/** Binding alone makes the symbols; no other file is needed. */
function declarationsOf(source: ts.SourceFile): Declaration[] {
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    getSourceFile: (path) => (path === source.fileName ? source : undefined),
  }
  const program = ts.createProgram([source.fileName], { noLib: true, noResolve: true, types: [] }, host)
  program.getTypeChecker()
  const found: Declaration[] = []
  const visit = (node: ts.Node): void => {
    const symbol = (node as { symbol?: ts.Symbol }).symbol
    if (symbol?.declarations?.includes(node as ts.Declaration)) found.push(...declared(node as ts.Declaration, source))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

function declared(node: ts.Declaration, source: ts.SourceFile): Declaration[] {
  if (ts.isConstructorDeclaration(node)) {
    const keyword = node.getChildren(source).find(({ kind }) => kind === ts.SyntaxKind.ConstructorKeyword)
    return [{ name: 'constructor', kind: 'method', start: keyword?.getStart(source) ?? node.getStart(source) }]
  }
  const kind = kindOf(node)
  const name = ts.getNameOfDeclaration(node)
  if (kind === undefined || !name) return []
  if (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) {
    return [{ name: name.text, kind, start: name.getStart(source) }]
  }
  return ts.isStringLiteral(name) ? [{ name: name.text, kind, start: name.getStart(source) + 1 }] : []
}

function kindOf(node: ts.Declaration): string | undefined {
  if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return 'class'
  if (ts.isEnumDeclaration(node)) return 'class'
  if (ts.isModuleDeclaration(node)) return node.flags & ts.NodeFlags.GlobalAugmentation ? undefined : 'class'
  if (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node)) return 'function'
  if (ts.isMethodDeclaration(node) || ts.isMethodSignature(node) || ts.isAccessor(node)) return 'method'
  if (ts.isPropertyDeclaration(node)) return isFunction(node.initializer) ? 'method' : 'variable'
  if (ts.isPropertyAssignment(node)) return isFunction(node.initializer) ? 'method' : undefined
  if (ts.isPropertySignature(node) || ts.isEnumMember(node)) return 'variable'
  if (ts.isParameter(node)) return ts.isParameterPropertyDeclaration(node, node.parent) ? 'variable' : undefined
  if (ts.isVariableDeclaration(node)) return ts.isCatchClause(node.parent) ? undefined : kindOfVariable(node)
  return ts.isBindingElement(node) && ts.isVariableDeclaration(ts.walkUpBindingElementsAndPatterns(node))
    ? 'variable'
    : undefined
}

function kindOfVariable({ initializer }: ts.VariableDeclaration): string {
  if (isFunction(initializer)) return 'function'
  return initializer && ts.isClassExpression(initializer) ? 'class' : 'variable'
}

function isFunction(node: ts.Expression | undefined): boolean {
  return node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))
}

import type { ApprovedPath, VerbContext } from '../../../../0-contracts/src/index.js'
import { readText } from '../../../../2-files/src/index.js'
import { identifierAt, ParseTime } from '../../../../2-syntax/src/index.js'
import { type DefinitionAnswer, type FoundDefinition, resolvedIn, type SourceText } from '../found-definition.js'
import { KeptModules } from './kept-modules.js'
import type { Binding, Expression, Use } from './python-scopes.js'

/**
 * Finds what a name in a Python file means, by scopes, imports, and the classes that objects evidently have.
 *
 * @returns `undefined` where that is unknown, or there is no name at the place
 * @throws HermesError `CANCELLED`, `NOT_INSTALLED`
 */
export async function findInPython(
  file: Pick<SourceText, 'path' | 'text'>, line: number, column: number, context: VerbContext,
): Promise<DefinitionAnswer | undefined> {
  const name = await identifierAt('python', file.text, line, column)
  if (!name) return undefined
  return KeptModules.with(context, async (known) => {
    const module = known.modules.module(file.path)
    const meaning = module && known.meanings.meaningAt(module, name.line, name.column)
    if (!module || !meaning) return undefined
    const time = new ParseTime()
    const definitions: FoundDefinition[] = []
    for (const { bindings, scope: { module: { path } } } of meaning.symbols) {
      definitions.push(...await resolvedIn({ path, language: 'python' }, bindings, context, time))
    }
    for (const { path } of meaning.modules) definitions.push(wholeFile(path, context))
    if (definitions.length > 0) return { found: definitions }
    const { external } = meaning
    if (external === undefined || meaning.isUnknown) return undefined
    return { found: importOf(module.uses.get(`${name.line}:${name.column}`), file), external }
  })
}

function wholeFile(path: ApprovedPath, context: VerbContext): FoundDefinition {
  const text = readText(context.files, path, context.limits.maxFileBytes, path)
  const endLine = Math.max(1, text.split('\n').length - (text.endsWith('\n') ? 1 : 0))
  // The quote makes it shown as the name of the file.
  return { path, text, name: '"', kind: 'class', line: 1, column: 1, startLine: 1, endLine, resolved: true }
}

/** The import that introduces an external name in a file; for a chain of members, that of its first name. */
function importOf(
  use: Use | undefined, { path, text }: Pick<SourceText, 'path' | 'text'>,
): FoundDefinition[] {
  const chain = use?.kind === 'attribute' ? use.base : use
  const isExpression = chain && chain.kind !== 'imported' && chain.kind !== 'module' && chain.kind !== 'keyword'
  const first = isExpression ? firstOf(chain) : undefined
  const binding = first && importBinding(first)
  if (!binding) return []
  const { line, column } = binding
  const { name } = first
  return [{ path, text, name, kind: 'variable', line, column, startLine: line, endLine: line, resolved: true }]
}

function importBinding({ name, scope }: Expression & { kind: 'name' }): Binding | undefined {
  for (let around: typeof scope | undefined = scope; around; around = around.parent) {
    const bindings = around.symbols.get(name)?.bindings
    if (bindings) return bindings.find(({ kind }) => kind === 'module' || kind === 'from')
  }
  return undefined
}

/** `a` of `a.b().c`. */
function firstOf(expression: Expression): (Expression & { kind: 'name' }) | undefined {
  switch (expression.kind) {
    case 'name': return expression
    case 'attribute':
    case 'item':
    case 'element':
    case 'nth':
    case 'entered': return firstOf(expression.base)
    case 'call': return firstOf(expression.callee)
    default: return undefined
  }
}

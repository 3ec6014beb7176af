import type { SyntaxNode } from '../../../../2-syntax/src/index.js'
import { fieldOf } from './python-nodes.js'
import type { PythonModule } from './python-scopes.js'

/** Tells which names of a module `from … import *` takes; all that may be where `__all__` is more than one list. */
export function exportsOf({ scope, uses }: PythonModule, tree: SyntaxNode): (name: string) => boolean {
  const known = scope.symbols.get('__all__')
  if (!known) return (name) => !name.startsWith('_')
  const mentions = [...uses.values()].filter((use) => use.kind === 'name' && use.name === '__all__')
  const names = mentions.length === 1 ? listed(tree) : undefined
  return names ? (name) => names.has(name) : () => true
}

/** The strings of `__all__ = ["a", "b"]`, where it holds nothing else. */
function listed(tree: SyntaxNode): Set<string> | undefined {
  const assignments = tree.children.flatMap((statement) => (
    statement.type === 'expression_statement' ? statement.children.filter(({ type }) => type === 'assignment') : []
  ))
  const list = assignments.find((each) => fieldOf(each, 'left')?.text === '__all__')
  const value = list && fieldOf(list, 'right')
  if (!value || !/^(?:list|tuple|expression_list)$/.test(value.type)) return undefined
  const names = value.children.filter(({ type }) => type !== 'comment').map(plainString)
  return names.includes(undefined) ? undefined : new Set(names as string[])
}

function plainString({ type, children }: SyntaxNode): string | undefined {
  const parts = children.filter((child) => child.type === 'string_content')
  return type === 'string' && parts.length === 1 ? parts[0]!.text : undefined
}

import type { SyntaxNode } from '../../../../2-syntax/src/index.js'
import type { LanguageScopes, ScopeImport } from './scope-table.js'
import { fieldOf, wordsOf } from './scoped-nodes.js'

export const RUST_SCOPES: LanguageScopes = {
  modules: 'crates',
  types: new Set(['struct_item', 'enum_item', 'union_item', 'trait_item', 'type_item', 'impl_item']),
  blocks: new Set([
    'function_item', 'function_signature_item', 'closure_expression', 'block', 'match_arm', 'if_expression',
    'while_expression', 'for_expression',
  ]),
  moduleNodes: new Set(['mod_item']),
  seesMembers: false,
  hoists: true,
  statements: new Set(['let_declaration', 'let_condition']),
  loops: new Set(['for_expression']),
  access: {
    field_expression: ['value', 'field'], scoped_identifier: ['path', 'name'],
    scoped_type_identifier: ['path', 'name'],
  },
  special,
  supers: () => [],
  impl: { impl_item: 'type' },
  same: {
    parenthesized_expression: '0', reference_expression: 'value', struct_expression: 'name', generic_type: 'type',
    generic_function: 'function', reference_type: 'type', type_cast_expression: 'type', unary_expression: '-1',
  },
  calls: { call_expression: 'function' },
  returns: ['return_type'],
  self: new Set(['self', 'Self']),
  parent: new Set(),
  imports: (node) => (node.type === 'use_declaration' && node.children.at(-1)
    ? usedIn(node.children.at(-1)!, []) : undefined),
  abstract: new Set(['trait_item']),
}

function special(around: readonly SyntaxNode[], node: SyntaxNode): SyntaxNode | 'unknown' | undefined {
  const parent = around.at(-1)
  // A macro's effect on its words is unknown; a shorthand field is also a name.
  if (around.some(({ type }) => type === 'token_tree' || type === 'macro_definition')) return 'unknown'
  if (parent?.type === 'macro_invocation' || parent?.type === 'shorthand_field_initializer') return 'unknown'
  if (node.type === 'shorthand_field_identifier') return 'unknown'
  if (parent?.type === 'field_initializer' && node.field === 'field') {
    const literal = around.findLast(({ type }) => type === 'struct_expression')
    return (literal && fieldOf(literal, 'name')) ?? 'unknown'
  }
  if (parent?.type === 'field_pattern' && node.field === 'name') return fieldOf(around.at(-2)!, 'type') ?? 'unknown'
  return undefined
}

function usedIn(tree: SyntaxNode, before: readonly string[]): ScopeImport[] {
  switch (tree.type) {
    case 'use_as_clause': {
      const [path, alias] = [fieldOf(tree, 'path'), fieldOf(tree, 'alias')]
      return path && alias?.text !== '_' ? [{ local: alias?.text ?? '', path: pathOf(path, before) }] : []
    }
    case 'use_wildcard': return [{ path: tree.children[0] ? pathOf(tree.children[0], before) : before }]
    case 'scoped_use_list': {
      const path = fieldOf(tree, 'path')
      const list = fieldOf(tree, 'list')
      const inside = path ? pathOf(path, before) : before
      return list?.children.flatMap((child) => usedIn(child, inside)) ?? []
    }
    case 'use_list': return tree.children.flatMap((child) => usedIn(child, before))
    default: {
      const path = pathOf(tree, before)
      return [{ local: path.at(-1) ?? '', path }]
    }
  }
}

/** `self` at the end of a path is the path itself. */
function pathOf(node: SyntaxNode, before: readonly string[]): string[] {
  const path = [...before, ...wordsOf(node)]
  return path.length > 1 && path.at(-1) === 'self' ? path.slice(0, -1) : path
}

import { dirname, join } from 'node:path'
import type { SyntaxNode } from '../../../../2-syntax/src/index.js'
import type { LanguageScopes, ScopeImport } from './scope-table.js'
import { fieldOf, wordsOf } from './scoped-nodes.js'

export const GO_SCOPES: LanguageScopes = {
  modules: 'directories',
  // A directory of this name is never a package.
  moduleOf: (file, path) => (isTestPackage(file) ? join(dirname(path), '_test') : dirname(path)),
  types: new Set(['type_spec', 'type_alias']),
  blocks: new Set([
    'function_declaration', 'method_declaration', 'func_literal', 'block', 'if_statement', 'for_statement',
    'expression_switch_statement', 'type_switch_statement', 'expression_case', 'type_case', 'default_case',
    'communication_case',
  ]),
  seesMembers: false,
  statements: new Set(['short_var_declaration', 'var_spec', 'const_spec']),
  loops: new Set(['range_clause']),
  access: { selector_expression: ['operand', 'field'], qualified_type: ['package', 'name'] },
  special: (around) => {
    const literal = around.at(-1)
    const element = around.at(-2)
    // In a map the key is an expression, in a structure a field.
    return literal?.field === 'key' && element?.type === 'keyed_element'
      ? around.findLast(({ type }) => type === 'composite_literal')?.children[0] ?? 'unknown' : undefined
  },
  supers: (type) => {
    const body = fieldOf(type, 'type')
    const fields = body?.type === 'struct_type' ? body.children[0]?.children ?? [] : body?.children ?? []
    return fields.flatMap((field) => {
      const embedded = field.type === 'field_declaration' && !fieldOf(field, 'name') ? fieldOf(field, 'type')
        : field.type === 'type_elem' ? field.children[0] : undefined
      return embedded ? [embedded] : []
    })
  },
  same: {
    parenthesized_expression: '0', unary_expression: 'operand', composite_literal: 'type', pointer_type: '0',
    generic_type: 'type', type_assertion_expression: 'type', type_conversion_expression: 'type',
    parenthesized_type: '0', expression_list: '0',
  },
  calls: { call_expression: 'function' },
  returns: ['result'],
  self: new Set(),
  parent: new Set(),
  imports: (node) => (node.type === 'import_spec' ? importOf(node) : undefined),
  abstract: new Set(['interface_type']),
  structural: true,
}

function isTestPackage(file: SyntaxNode): boolean {
  const clause = file.children.find(({ type }) => type === 'package_clause')
  return clause?.children[0]?.text?.endsWith('_test') === true
}

function importOf(node: SyntaxNode): ScopeImport[] {
  const path = fieldOf(node, 'path')
  const written = path && wordsOf(path).join('')
  if (!written) return []
  const name = fieldOf(node, 'name')
  if (name?.type === 'dot') return [{ path: [written] }]
  if (name?.type === 'blank_identifier') return []
  return [{ local: name?.text ?? packageName(written), path: [written] }]
}

/** The usual name of a package: without its version. */
function packageName(path: string): string {
  const parts = path.split('/')
  const last = /^v\d+$/.test(parts.at(-1) ?? '') && parts.length > 1 ? parts.at(-2)! : parts.at(-1)!
  return last.replace(/\.v\d+$/, '')
}

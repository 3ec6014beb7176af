import type { SyntaxNode } from '../../../../2-syntax/src/index.js'
import type { LanguageScopes, ScopeImport } from './scope-table.js'
import { wordsOf } from './scoped-nodes.js'

const SUPERS = new Set(['superclass', 'super_interfaces', 'extends_interfaces'])

export const JAVA_SCOPES: LanguageScopes = {
  modules: 'names',
  moduleOf: (file) => {
    const named = file.children.find(({ type }) => type === 'package_declaration')?.children.at(-1)
    return named ? wordsOf(named).join('.') : ''
  },
  types: new Set([
    'class_declaration', 'interface_declaration', 'enum_declaration', 'record_declaration',
    'annotation_type_declaration',
  ]),
  blocks: new Set([
    'method_declaration', 'constructor_declaration', 'compact_constructor_declaration', 'block', 'constructor_body',
    'lambda_expression', 'for_statement', 'enhanced_for_statement', 'catch_clause', 'try_with_resources_statement',
    'switch_block_statement_group', 'switch_rule',
  ]),
  seesMembers: true,
  separate: true,
  statements: new Set(),
  loops: new Set(['enhanced_for_statement']),
  access: {
    method_invocation: ['object', 'name'], field_access: ['object', 'field'], scoped_type_identifier: ['0', '-1'],
    scoped_identifier: ['scope', 'name'], method_reference: ['0', '1'],
  },
  special: (around, node) => (
    node.field === 'key' && around.at(-1)?.type === 'element_value_pair' ? 'unknown' : undefined
  ),
  supers: (type) => type.children.filter((child) => SUPERS.has(child.type)).flatMap(({ children }) => (
    children.flatMap((child) => (child.type === 'type_list' ? child.children : [child]))
  )),
  same: {
    parenthesized_expression: '0', object_creation_expression: 'type', generic_type: '0', cast_expression: 'type',
    annotated_type: '-1',
  },
  calls: { method_invocation: '' },
  returns: ['type'],
  self: new Set(['this']),
  parent: new Set(['super']),
  imports: (node) => (node.type === 'import_declaration' ? importOf(node) : undefined),
  abstract: new Set(['interface_declaration', 'annotation_type_declaration']),
}

function importOf({ children }: SyntaxNode): ScopeImport[] {
  const [named, star] = children
  if (!named) return []
  const path = wordsOf(named)
  return star?.type === 'asterisk' ? [{ path }] : [{ local: path.at(-1) ?? '', path }]
}

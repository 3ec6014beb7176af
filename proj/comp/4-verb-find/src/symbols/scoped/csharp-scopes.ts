import type { SyntaxNode } from '../../../../2-syntax/src/index.js'
import type { LanguageScopes, ScopeImport } from './scope-table.js'
import { fieldOf, wordsOf } from './scoped-nodes.js'

export const CSHARP_SCOPES: LanguageScopes = {
  modules: 'names',
  modulesNest: true,
  moduleOf: (file) => {
    const around = file.children.find(({ type }) => type === 'file_scoped_namespace_declaration')
    const name = around && fieldOf(around, 'name')
    return name ? wordsOf(name).join('.') : ''
  },
  types: new Set([
    'class_declaration', 'interface_declaration', 'struct_declaration', 'enum_declaration', 'record_declaration',
  ]),
  blocks: new Set([
    'method_declaration', 'constructor_declaration', 'destructor_declaration', 'operator_declaration',
    'local_function_statement', 'block', 'lambda_expression', 'anonymous_method_expression', 'for_statement',
    'foreach_statement', 'catch_clause', 'using_statement', 'switch_section', 'switch_expression_arm',
    'accessor_declaration', 'indexer_declaration',
  ]),
  moduleNodes: new Set(['namespace_declaration']),
  seesMembers: true,
  hoists: true,
  statements: new Set(),
  loops: new Set(['foreach_statement']),
  access: {
    member_access_expression: ['expression', 'name'], qualified_name: ['qualifier', 'name'],
    alias_qualified_name: ['alias', 'name'],
  },
  special,
  supers: (type) => type.children.filter((child) => child.type === 'base_list').flatMap(({ children }) => (
    children.filter((child) => child.type !== 'argument_list')
  )),
  same: {
    parenthesized_expression: '0', object_creation_expression: 'type', generic_name: '0', cast_expression: 'type',
    as_expression: 'right', nullable_type: 'type', primary_constructor_base_type: 'type',
  },
  calls: { invocation_expression: 'function' },
  returns: ['returns', 'type'],
  self: new Set(['this']),
  parent: new Set(['base']),
  imports: (node) => (node.type === 'using_directive' ? importOf(node) : undefined),
  abstract: new Set(['interface_declaration']),
}

function special(around: readonly SyntaxNode[], node: SyntaxNode): SyntaxNode | 'unknown' | undefined {
  const parent = around.at(-1)
  const isGeneric = parent?.type === 'generic_name' && parent.children[0] === node
  const [name, holder] = isGeneric ? [parent, around.at(-2)] : [node, parent]
  if (holder?.type === 'member_binding_expression') {
    const conditional = around.findLast(({ type }) => type === 'conditional_access_expression')
    return (conditional && fieldOf(conditional, 'condition')) ?? 'unknown'
  }
  // The name of an argument, or of an attribute's property.
  if (name.field === 'name' && /argument$|^name_colon$/.test(holder?.type ?? '')) return 'unknown'
  const isInitializer = name.field === 'left' && holder?.type === 'assignment_expression'
    && around.at(-2)?.type === 'initializer_expression'
  if (!isInitializer) return undefined
  const created = around.at(-3)
  return (created?.type === 'object_creation_expression' && fieldOf(created, 'type')) || 'unknown'
}

function importOf(node: SyntaxNode): ScopeImport[] {
  const alias = fieldOf(node, 'name')
  const target = node.children.findLast((child) => child !== alias)
  if (!target || !/^(?:identifier|qualified_name|alias_qualified_name)$/.test(target.type)) return []
  const path = wordsOf(target).filter((word, index) => index > 0 || word !== 'global')
  return [alias ? { local: alias.text ?? '', path } : { path }]
}

import { BINDINGS, COMMON, WRAPPERS } from './c.js'
import type { LanguageSyntax } from './syntax-data.js'

export const CPP: LanguageSyntax = {
  grammar: 'cpp',
  definitions: `
(init_declarator declarator: (identifier) @name value: (lambda_expression)) @function
(class_specifier name: (type_identifier) @name body: (_)) @class
(class_specifier name: (template_type name: (_) @name) body: (_)) @class
(struct_specifier name: (template_type name: (_) @name) body: (_)) @class
(namespace_definition name: (_) @binding) @class
(alias_declaration name: (_) @name) @class
(concept_definition name: (_) @name) @class
(for_range_loop declarator: (_) @binding @variable)
(optional_parameter_declaration declarator: (_) @binding @parameter)
(variadic_parameter_declaration declarator: (_) @binding @parameter)
(type_parameter_declaration (type_identifier) @name @parameter)
${COMMON}`,
  bindings: {
    ...BINDINGS,
    leaves: [...BINDINGS.leaves, 'namespace_identifier', 'destructor_name', 'operator_name'],
    through: {
      ...BINDINGS.through,
      reference_declarator: '',
      structured_binding_declarator: '',
      variadic_declarator: '',
      nested_namespace_specifier: '',
      qualified_identifier: 'name',
      template_function: 'name',
    },
    qualified: ['qualified_identifier'],
  },
  identifiers: ['identifier', 'type_identifier', 'field_identifier', 'namespace_identifier', 'statement_identifier'],
  uses: `
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (qualified_identifier name: (identifier) @call))
(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (qualified_identifier name: (template_function name: (identifier) @call)))
(call_expression function: (qualified_identifier name: (qualified_identifier name: (identifier) @call)))
(new_expression type: (type_identifier) @call)
(type_identifier) @type
`,
  imports: `
(preproc_include path: (_) @module) @import
`,
  functionsInClassesAreMethods: true,
  wrappers: [...WRAPPERS, 'template_declaration', 'linkage_specification'],
  lists: ['enumerator_list'],
}

import type { LanguageSyntax } from './syntax-data.js'

export const RUST: LanguageSyntax = {
  grammar: 'rust',
  definitions: `
(mod_item name: (_) @name) @class
(struct_item name: (_) @name) @class
(enum_item name: (_) @name) @class
(union_item name: (_) @name) @class
(trait_item name: (_) @name) @class
(type_item name: (_) @name) @class
(associated_type name: (_) @name) @class
(impl_item type: [
  (type_identifier) @name
  (generic_type type: (type_identifier) @name)
  (scoped_type_identifier name: (type_identifier) @name)
  (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
]) @scope

(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(ERROR "fn" . (identifier) @name @function)
(macro_definition name: (_) @name) @function
(let_declaration pattern: (identifier) @name value: (closure_expression)) @function

(const_item name: (_) @name) @variable
(static_item name: (_) @name) @variable
(field_declaration name: (_) @name) @variable
(enum_variant name: (_) @name) @variable
(let_declaration pattern: (_) @binding) @variable
(let_condition pattern: (_) @binding @variable)
(for_expression pattern: (_) @binding @variable)
(match_pattern . (_) @binding @variable)

(parameter pattern: (_) @binding @parameter)
(closure_parameters (_) @binding @parameter)
(type_parameter name: (_) @name @parameter)
(const_parameter name: (_) @name @parameter)
`,
  bindings: {
    leaves: ['identifier', 'shorthand_field_identifier'],
    through: {
      tuple_pattern: '', slice_pattern: '', reference_pattern: '', ref_pattern: '', mut_pattern: '', or_pattern: '',
      captured_pattern: '', tuple_struct_pattern: '-type', struct_pattern: '-type', field_pattern: '',
      parameter: 'pattern',
    },
    // A capitalized name is a constant or variant to match.
    pattern: /^(?:r#)?[\p{Ll}_]/u,
  },
  identifiers: [
    'identifier', 'type_identifier', 'field_identifier', 'shorthand_field_identifier',
  ],
  uses: `
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(call_expression function: (scoped_identifier name: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (field_expression field: (field_identifier) @call)))
(call_expression function: (generic_function function: (scoped_identifier name: (identifier) @call)))
(macro_invocation macro: (identifier) @call)
(macro_invocation macro: (scoped_identifier name: (identifier) @call))
(struct_expression name: (type_identifier) @call)
(type_identifier) @type
`,
  imports: `
(use_declaration argument: (use_as_clause path: (scoped_identifier path: (_) @module name: (_) @name)
  alias: (_) @alias)) @import
(use_declaration argument: (use_as_clause path: (identifier) @module alias: (_) @alias)) @import
(use_declaration argument: (use_wildcard (_) @module) @name) @import
(use_declaration argument: (scoped_use_list path: (_) @module list: (use_list [
  (identifier) @name
  (self) @name
  (scoped_identifier) @name
  (use_wildcard) @name
  (use_as_clause path: (_) @name alias: (_) @alias)
]))) @import
(use_declaration argument: (scoped_identifier path: (_) @module name: (_) @name)) @import
(use_declaration argument: (identifier) @module) @import
(extern_crate_declaration name: (_) @module alias: (_) @alias) @import
(extern_crate_declaration name: (_) @module) @import
`,
  functionsInClassesAreMethods: true,
  marks: ['attribute_item'],
  lists: ['enum_variant_list', 'field_declaration_list'],
}

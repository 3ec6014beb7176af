import type { LanguageSyntax } from './syntax-data.js'

export const SCALA: LanguageSyntax = {
  grammar: 'scala',
  definitions: `
(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @class
(trait_definition name: (_) @name) @class
(enum_definition name: (_) @name) @class
(package_object name: (_) @name) @class
(type_definition name: (_) @name) @class

(function_definition name: (_) @name) @function
(function_declaration name: (_) @name) @function
(val_definition pattern: (identifier) @name value: (lambda_expression)) @function
(ERROR "def" . (identifier) @name @function)
(ERROR ["class" "object" "trait"] . (identifier) @name @class)

(val_definition pattern: (_) @binding) @variable
(var_definition pattern: (_) @binding) @variable
(val_declaration name: (_) @name) @variable
(var_declaration name: (_) @name) @variable
(given_definition name: (_) @name) @variable
(simple_enum_case name: (_) @name) @variable
(full_enum_case name: (_) @name) @variable
(class_parameter ["val" "var"] name: (_) @name) @variable
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (_) @name) @variable))
(enumerator . (_) @binding @variable)
(case_clause pattern: (_) @binding @variable)

(class_parameter name: (_) @name @parameter)
(parameter name: (_) @name @parameter)
(binding name: (_) @name @parameter)
(lambda_expression parameters: (identifier) @name @parameter)
(type_parameters name: (_) @name @parameter)
`,
  bindings: {
    leaves: ['identifier'],
    through: {
      tuple_pattern: '', alternative_pattern: '', typed_pattern: 'pattern', capture_pattern: '', infix_pattern: '',
      case_class_pattern: '-type',
    },
    // A capitalized name is a constant to match.
    pattern: /^[\p{Ll}_]/u,
  },
  identifiers: ['identifier', 'type_identifier'],
  uses: `
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (identifier) @call))
(call_expression function: (generic_function function: (identifier) @call))
(call_expression function: (generic_function function: (field_expression field: (identifier) @call)))
(instance_expression (type_identifier) @call)
(instance_expression (generic_type type: (type_identifier) @call))
(annotation name: (type_identifier) @call)
(type_identifier) @type
`,
  imports: `
(import_declaration . (identifier) @module . (namespace_wildcard) @all) @import
(import_declaration . (identifier) @module (identifier) @module . (namespace_wildcard) @all) @import
(import_declaration . (identifier) @module . (namespace_selectors (_) @name)) @import
(import_declaration . (identifier) @module (identifier) @module . (namespace_selectors [
  (identifier) @name
  (namespace_wildcard) @all
  (arrow_renamed_identifier name: (_) @name alias: (_) @alias)
])) @import
(import_declaration . (identifier) @path (identifier) @path .) @import
`,
  blank: '_',
  functionsInClassesAreMethods: true,
}

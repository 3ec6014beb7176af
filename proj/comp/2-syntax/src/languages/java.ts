import type { LanguageSyntax } from './syntax-data.js'

export const JAVA: LanguageSyntax = {
  grammar: 'java',
  definitions: `
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(annotation_type_declaration name: (_) @name) @class

(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(compact_constructor_declaration name: (_) @name) @method
(annotation_type_element_declaration name: (_) @name) @method

(field_declaration declarator: (variable_declarator name: (identifier) @name) @variable)
(constant_declaration declarator: (variable_declarator name: (identifier) @name) @variable)
(local_variable_declaration declarator: (variable_declarator name: (identifier) @name) @variable)
(enum_constant name: (_) @name) @variable
(record_declaration parameters: (formal_parameters (formal_parameter name: (_) @name) @variable))
(enhanced_for_statement name: (identifier) @name @variable)
(resource name: (identifier) @name) @variable
(instanceof_expression name: (identifier) @name @variable)
(type_pattern (identifier) @name @variable)
(record_pattern_component (identifier) @name @variable)

(formal_parameter name: (_) @name @parameter)
(spread_parameter (variable_declarator name: (_) @name @parameter))
(inferred_parameters (identifier) @name @parameter)
(lambda_expression parameters: (identifier) @name @parameter)
(catch_formal_parameter name: (_) @name @parameter)
(type_parameter (type_identifier) @name @parameter)
`,
  identifiers: ['identifier', 'type_identifier'],
  uses: `
(method_invocation name: (identifier) @call)
(object_creation_expression type: (type_identifier) @call)
(object_creation_expression type: (generic_type (type_identifier) @call))
(type_identifier) @type
(annotation name: (identifier) @call)
(marker_annotation name: (identifier) @call)
`,
  imports: `
(import_declaration (_) @module (asterisk) @name) @import
(import_declaration (scoped_identifier scope: (_) @module name: (_) @name) .) @import
(import_declaration (identifier) @module .) @import
`,
  wrappers: ['field_declaration', 'constant_declaration', 'local_variable_declaration'],
  lists: ['enum_body'],
}

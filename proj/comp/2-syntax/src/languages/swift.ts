import type { LanguageSyntax } from './syntax-data.js'

/** An extension is a container named like its type, but no definition. */
export const SWIFT: LanguageSyntax = {
  grammar: 'swift',
  definitions: `
(class_declaration declaration_kind: ["class" "struct" "enum" "actor"] name: (_) @name) @class
(class_declaration declaration_kind: "extension" name: (user_type (type_identifier) @name .)) @scope
(protocol_declaration name: (_) @name) @class
(typealias_declaration name: (type_identifier) @name) @class
(associatedtype_declaration name: (type_identifier) @name) @class

(function_declaration "func" . name: _ @name) @function
(protocol_function_declaration "func" . name: _ @name) @function
(init_declaration name: "init" @name) @method
(deinit_declaration "deinit" @name) @method
(subscript_declaration "subscript" @name) @method
(macro_declaration (simple_identifier) @name) @function
(ERROR "func" . (simple_identifier) @name @function)
(ERROR ["class" "struct" "enum" "actor" "protocol"] . [(type_identifier) (simple_identifier)] @name @class)

(property_declaration name: (pattern . bound_identifier: (simple_identifier) @name) value: (lambda_literal)) @function
(property_declaration name: (pattern) @binding) @variable
(protocol_property_declaration name: (pattern) @binding) @variable
(enum_entry name: (simple_identifier) @name) @variable
(for_statement item: (pattern) @binding @variable)
(if_statement bound_identifier: (simple_identifier) @name @variable)
(guard_statement bound_identifier: (simple_identifier) @name @variable)
(while_statement bound_identifier: (simple_identifier) @name @variable)
(pattern (value_binding_pattern) . bound_identifier: (simple_identifier) @name @variable)

(parameter name: (simple_identifier) @name @parameter)
(lambda_parameter name: (simple_identifier) @name @parameter)
(catch_block error: (pattern) @binding @parameter)
(type_parameter (type_identifier) @name @parameter)
`,
  bindings: { leaves: ['simple_identifier'], through: { pattern: '' } },
  identifiers: ['simple_identifier', 'type_identifier'],
  uses: `
(call_expression . (simple_identifier) @call)
(call_expression . (navigation_expression suffix: (navigation_suffix suffix: (simple_identifier) @call)))
(constructor_expression constructed_type: (user_type (type_identifier) @call .))
(attribute (user_type (type_identifier) @call))
(macro_invocation (simple_identifier) @call)
(type_identifier) @type
`,
  imports: `
(import_declaration (identifier) @module) @import
`,
  blank: '_',
  bodies: ['computed_property', 'protocol_property_requirements'],
  functionsInClassesAreMethods: true,
}

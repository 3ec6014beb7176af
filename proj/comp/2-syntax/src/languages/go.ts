import type { LanguageSyntax } from './syntax-data.js'

export const GO: LanguageSyntax = {
  grammar: 'go',
  definitions: `
(type_spec name: (_) @name) @class
(type_alias name: (_) @name) @class
(function_declaration name: (_) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @container
    (pointer_type (type_identifier) @container)
    (generic_type type: (type_identifier) @container)
    (pointer_type (generic_type type: (type_identifier) @container))
  ])) name: (_) @name) @method
(method_declaration name: (_) @name) @method
(ERROR "func" . (identifier) @name @function)
(method_elem name: (_) @name) @method

(var_spec name: (identifier) @name value: (expression_list . (func_literal) .)) @function
(const_spec name: (identifier) @name) @variable
(var_spec name: (identifier) @name) @variable
(field_declaration name: (_) @name) @variable
(short_var_declaration left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal) .)) @function
(short_var_declaration left: (expression_list (identifier) @name @assigned))
(range_clause left: (expression_list (identifier) @name @assigned) ":=")
(receive_statement left: (expression_list (identifier) @name @assigned) ":=")
(type_switch_statement alias: (expression_list (identifier) @name @assigned))

[(if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (func_literal)] @block
[(expression_case) (type_case) (default_case) (communication_case)] @block
(if_statement (block) @block)
(for_statement body: (block) @block)
(statement_list (block) @block)
(labeled_statement (block) @block)

(parameter_declaration name: (_) @name @parameter)
(variadic_parameter_declaration name: (_) @name @parameter)
(type_parameter_declaration name: (_) @name @parameter)
`,
  identifiers: ['identifier', 'type_identifier', 'field_identifier', 'package_identifier', 'label_name'],
  uses: `
(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (field_identifier) @call))
(type_identifier) @type
`,
  imports: `
(import_spec name: [(package_identifier) (dot) (blank_identifier)] @alias path: (_) @module) @import
(import_spec path: (_) @module) @import
`,
  blank: '_',
  wrappers: ['type_declaration', 'const_declaration', 'var_declaration', 'expression_list', 'short_var_declaration'],
}

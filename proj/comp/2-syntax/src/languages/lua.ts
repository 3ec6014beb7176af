import type { LanguageSyntax } from './syntax-data.js'

/** A function in a table has the table as container, as written: `M.sub.open`. */
export const LUA: LanguageSyntax = {
  grammar: 'lua',
  definitions: `
(function_declaration name: (identifier) @name) @function
(function_declaration name: (dot_index_expression table: (_) @container field: (identifier) @name)) @function
(function_declaration name: (method_index_expression table: (_) @container method: (identifier) @name)) @method
(ERROR "function" . (identifier) @name @function)
(assignment_statement (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_definition) .)) @function
(assignment_statement (variable_list . name: (dot_index_expression table: (_) @container field: (identifier) @name) .)
  (expression_list . value: (function_definition) .)) @function
(field name: (identifier) @name value: (function_definition)) @method
(field name: (string content: (string_content) @name) value: (function_definition)) @method

(variable_declaration (assignment_statement (variable_list name: (identifier) @name))) @assigned
(variable_declaration (variable_list name: (identifier) @name)) @assigned
((assignment_statement (variable_list name: (dot_index_expression
  table: (identifier) @container field: (identifier) @name))) @assigned (#not-eq? @container "self"))
(assignment_statement (variable_list name: (identifier) @name)) @assigned
(for_numeric_clause name: (identifier) @name @variable)
(for_generic_clause (variable_list name: (identifier) @name @variable))

(parameters name: (identifier) @name @parameter)
`,
  identifiers: ['identifier'],
  uses: `
(function_call name: (identifier) @call)
(function_call name: (dot_index_expression field: (identifier) @call))
(function_call name: (method_index_expression method: (identifier) @call))
`,
  imports: `
((assignment_statement (variable_list . name: (identifier) @alias .) (expression_list . value: (function_call
  name: (identifier) @_require arguments: (arguments . (string) @module .)) .)) @import (#eq? @_require "require"))
((function_call name: (identifier) @_require arguments: (arguments . (string) @module .)) @import
  (#eq? @_require "require"))
`,
  blank: '_',
  functionsInClassesAreMethods: true,
  wrappers: ['variable_declaration'],
  lists: ['table_constructor'],
}

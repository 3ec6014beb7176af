import type { LanguageSyntax } from './syntax-data.js'

/** Variable names omit the `$`. A namespace without braces is no container. */
export const PHP: LanguageSyntax = {
  grammar: 'php',
  definitions: `
(namespace_definition name: (_) @binding body: (_)) @class
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(trait_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class

(method_declaration name: (_) @name) @method
(function_definition name: (_) @name) @function
(ERROR "function" . (name) @name @function)
(assignment_expression left: (variable_name (name) @name) right: [(anonymous_function) (arrow_function)]) @function

(const_element . (name) @name) @variable
(property_element name: (variable_name (name) @name)) @variable
(enum_case name: (_) @name) @variable
(property_promotion_parameter name: (variable_name (name) @name)) @member
(static_variable_declaration name: (variable_name (name) @name)) @variable
((assignment_expression left: (member_access_expression
  object: (variable_name (name) @_this) name: (name) @name)) @member (#eq? @_this "this"))
(assignment_expression left: [(variable_name) (list_literal)] @binding) @assigned
(foreach_statement . (_) . [(variable_name) (list_literal) (pair)] @binding @assigned)
((function_call_expression function: (name) @_define
  arguments: (arguments . (argument (string . (string_content) @name .)))) @variable (#eq? @_define "define"))

(simple_parameter name: (variable_name (name) @name @parameter))
(variadic_parameter name: (variable_name (name) @name @parameter))
(catch_clause name: (variable_name (name) @name @parameter))
`,
  bindings: {
    leaves: ['name'],
    through: { variable_name: '', list_literal: '', pair: '', by_ref: '', namespace_name: '' },
  },
  identifiers: ['name'],
  uses: `
(function_call_expression function: (name) @call)
(function_call_expression function: (qualified_name (name) @call))
(member_call_expression name: (name) @call)
(nullsafe_member_call_expression name: (name) @call)
(scoped_call_expression name: (name) @call)
(object_creation_expression (name) @call)
(object_creation_expression (qualified_name (name) @call))
(named_type (name) @type)
(named_type (qualified_name (name) @type))
(base_clause (name) @type)
(class_interface_clause (name) @type)
`,
  imports: `
(namespace_use_declaration (namespace_use_clause (_) @module alias: (_) @alias)) @import
(namespace_use_declaration (namespace_use_clause [(qualified_name) (name)] @module)) @import
(namespace_use_declaration (namespace_name) @module (namespace_use_group (namespace_use_clause . (name) @name
  alias: (_) @alias))) @import
(namespace_use_declaration (namespace_name) @module (namespace_use_group (namespace_use_clause . (name) @name .)))
  @import
[(require_expression (_) @module) (require_once_expression (_) @module) (include_expression (_) @module)
  (include_once_expression (_) @module)] @import
`,
  wrappers: ['const_declaration', 'property_declaration', 'function_static_declaration', 'expression_statement'],
}

import type { LanguageSyntax } from './syntax-data.js'

/**
 * A namespace without braces is no container. The grammar parses the argument `a * b` as a pointer declaration, which
 * is excluded.
 */
export const CSHARP: LanguageSyntax = {
  grammar: 'c-sharp',
  definitions: `
(namespace_declaration name: (_) @binding) @class
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(delegate_declaration name: (_) @name) @class

(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function

(variable_declarator . (identifier) @name) @variable
(variable_declarator . (tuple_pattern name: (identifier) @name @variable))
(property_declaration name: (_) @name) @variable
(event_declaration name: (_) @name) @variable
(enum_member_declaration name: (_) @name) @variable
(record_declaration (parameter_list (parameter name: (_) @name) @variable))
(foreach_statement left: (identifier) @name @variable)
(foreach_statement left: (tuple_pattern name: (identifier) @name @variable))
(declaration_pattern name: (identifier) @name @variable)
(declaration_expression type: [
    (implicit_type) (identifier) (predefined_type) (generic_name) (qualified_name) (nullable_type) (array_type)
    (tuple_type)
  ] name: (identifier) @name @variable)

(parameter name: (_) @name @parameter)
(parameter_list name: (_) @name @parameter)
(implicit_parameter) @name @parameter
(catch_declaration name: (_) @name @parameter)
(type_parameter name: (_) @name @parameter)
`,
  bindings: { leaves: ['identifier'], through: { qualified_name: '' } },
  identifiers: ['identifier', 'implicit_parameter'],
  uses: `
(invocation_expression function: (identifier) @call)
(invocation_expression function: (generic_name (identifier) @call))
(invocation_expression function: (member_access_expression name: (identifier) @call))
(invocation_expression function: (member_access_expression name: (generic_name (identifier) @call)))
(invocation_expression function: (conditional_access_expression (member_binding_expression name: (identifier) @call)))
(object_creation_expression type: (identifier) @call)
(object_creation_expression type: (generic_name (identifier) @call))
(attribute name: (identifier) @call)
(base_list (identifier) @type)
(base_list (generic_name (identifier) @type))
(parameter type: (identifier) @type)
(parameter type: (generic_name (identifier) @type))
(variable_declaration type: (identifier) @type)
(variable_declaration type: (generic_name (identifier) @type))
(method_declaration returns: (identifier) @type)
(method_declaration returns: (generic_name (identifier) @type))
(property_declaration type: (identifier) @type)
(property_declaration type: (generic_name (identifier) @type))
(type_argument_list (identifier) @type)
`,
  imports: `
(using_directive (identifier) @alias "=" (_) @module) @import
(using_directive . [(identifier) (qualified_name)] @module .) @import
`,
  wrappers: ['variable_declaration', 'field_declaration', 'event_field_declaration', 'local_declaration_statement'],
  lists: ['enum_member_declaration_list'],
}

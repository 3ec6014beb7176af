import type { LanguageSyntax } from './syntax-data.js'

/** Members of an unnamed companion object belong to its class. An extension function has its type as container. */
export const KOTLIN: LanguageSyntax = {
  grammar: 'kotlin',
  definitions: `
(class_declaration name: (_) @name) @class
(object_declaration name: (_) @name) @class
(companion_object name: (_) @name) @class
(type_alias type: (identifier) @name) @class

(function_declaration (user_type . (identifier) @container) . "." . name: (_) @name) @method
(function_declaration name: (_) @name) @function
(secondary_constructor "constructor" @name) @method
(property_declaration (variable_declaration . (identifier) @name) [(lambda_literal) (anonymous_function)]) @function
(ERROR "fun" . (identifier) @name @function)
(ERROR ["class" "interface" "object"] . (identifier) @name @class)

(property_declaration (user_type . (identifier) @container) . "." . (variable_declaration . (identifier) @name))
  @variable
(property_declaration (variable_declaration (identifier) @name)) @variable
(property_declaration (multi_variable_declaration (variable_declaration (identifier) @name) @variable))
(class_parameter ["val" "var"] . (identifier) @name) @variable
(enum_entry . (identifier) @name) @variable
(for_statement (variable_declaration (identifier) @name @variable))
(for_statement (multi_variable_declaration (variable_declaration (identifier) @name @variable)))
(when_subject (variable_declaration (identifier) @name @variable))

(class_parameter . (identifier) @name @parameter)
(class_parameter (modifiers) . (identifier) @name @parameter)
(parameter . (identifier) @name @parameter)
(lambda_parameters (variable_declaration (identifier) @name @parameter))
(lambda_parameters (multi_variable_declaration (variable_declaration (identifier) @name @parameter)))
(setter . (identifier) @name @parameter)
(catch_block . (identifier) @name @parameter)
(type_parameter (identifier) @name @parameter)
`,
  identifiers: ['identifier'],
  uses: `
(call_expression . (identifier) @call)
(call_expression . (navigation_expression (identifier) @call .))
(constructor_invocation (user_type (identifier) @call .))
(annotation (user_type (identifier) @call .))
(user_type (identifier) @type)
`,
  imports: `
(import (qualified_identifier) @module "*" @name) @import
(import (qualified_identifier) @path . (identifier) @alias) @import
(import (qualified_identifier) @path .) @import
`,
  blank: '_',
  functionsInClassesAreMethods: true,
  bodies: ['class_body', 'enum_class_body', 'function_body', 'getter', 'setter'],
  lists: ['enum_class_body'],
}

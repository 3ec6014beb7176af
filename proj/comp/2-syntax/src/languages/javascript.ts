import type { Bindings, LanguageSyntax } from './syntax-data.js'

/** Names of properties; strings only if plain. */
export const PROPERTY = `[
  (property_identifier) @name
  (private_property_identifier) @name
  (string . (string_fragment) @name .)
]`

export const FUNCTION = '[(arrow_function) (function_expression) (generator_function)]'

/** Definitions common to JavaScript and TypeScript. */
export const COMMON = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(function_expression name: (_) @name) @function
(generator_function name: (_) @name) @function
(class name: (_) @name) @class
(class_declaration name: (_) @name) @class

(method_definition name: ${PROPERTY}) @method
(pair key: ${PROPERTY} value: ${FUNCTION}) @method

(variable_declarator name: (identifier) @name value: ${FUNCTION}) @function
(variable_declarator name: (identifier) @name value: (class)) @class
(variable_declarator name: (_) @binding) @variable
(for_in_statement kind: _ left: (_) @binding @variable)
(ERROR "function" . (identifier) @name @function)
`

export const BINDINGS: Bindings = {
  leaves: ['identifier', 'shorthand_property_identifier_pattern', 'property_identifier'],
  through: {
    object_pattern: '',
    array_pattern: '',
    rest_pattern: '',
    pair_pattern: 'value',
    assignment_pattern: 'left',
    object_assignment_pattern: 'left',
    nested_identifier: '',
  },
}

export const IDENTIFIERS = [
  'identifier', 'property_identifier', 'private_property_identifier',
  'shorthand_property_identifier', 'shorthand_property_identifier_pattern', 'statement_identifier',
]

/** Calls and constructions. */
export const USES = `
(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: [(property_identifier) (private_property_identifier)] @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (property_identifier) @call))
(decorator (identifier) @call)
`

/** Imports of ECMAScript and CommonJS, with re-exports; a default import takes the name `default`. */
export const IMPORTS = `(import_statement (import_clause (identifier) @default) source: (string) @module) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @name alias: (_) @alias)))
  source: (string) @module) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @name))) source: (string) @module) @import
(import_statement (import_clause (namespace_import (identifier) @alias)) source: (string) @module) @import
(import_statement source: (string) @module) @import
(export_statement (export_clause (export_specifier name: (_) @name alias: (_) @alias)) source: (string) @module) @import
(export_statement (export_clause (export_specifier name: (_) @name)) source: (string) @module) @import
(export_statement (namespace_export (_) @alias) source: (string) @module) @import
(export_statement "*" @name source: (string) @module) @import
((variable_declarator name: (identifier) @alias value: (call_expression function: (identifier) @_require
  arguments: (arguments . (string) @module .))) @import (#eq? @_require "require"))
((variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name)
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))) @import
  (#eq? @_require "require"))
((variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @name value: (identifier) @alias))
  value: (call_expression function: (identifier) @_require arguments: (arguments . (string) @module .))) @import
  (#eq? @_require "require"))
((call_expression function: (identifier) @_require arguments: (arguments . (string) @module .)) @import
  (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @module .)) @import
`

export const WRAPPERS = ['export_statement', 'lexical_declaration', 'variable_declaration', 'expression_statement']

export const LISTS = ['object', 'enum_body']

/** Assignments define too: `exports.f = …`, `A.prototype.m = function …`, and in classes `this.x = …`. */
export const JAVASCRIPT: LanguageSyntax = {
  grammar: 'javascript',
  definitions: `${COMMON}
(ERROR "class" . (identifier) @name @class)
(field_definition property: ${PROPERTY} value: ${FUNCTION}) @method
(field_definition property: ${PROPERTY}) @variable

((assignment_expression left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: ${FUNCTION}) @function (#match? @_exports "^(module\\\\.)?exports$"))
((assignment_expression left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: (class)) @class (#match? @_exports "^(module\\\\.)?exports$"))
((assignment_expression left: (member_expression object: (_) @_exports property: (property_identifier) @name))
  @assigned (#match? @_exports "^(module\\\\.)?exports$"))
((assignment_expression left: (member_expression
    object: (member_expression object: (identifier) @container property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: ${FUNCTION}) @method (#eq? @_prototype "prototype"))
(assignment_expression left: (member_expression object: (identifier) @container property: (property_identifier) @name)
  right: ${FUNCTION}) @method
(assignment_expression left: (member_expression object: (this) property: [
  (property_identifier) (private_property_identifier)] @name)) @member
`,
  bindings: BINDINGS,
  identifiers: IDENTIFIERS,
  uses: `${USES}
(class_heritage (identifier) @type)
`,
  imports: IMPORTS,
  wrappers: WRAPPERS,
  lists: LISTS,
}

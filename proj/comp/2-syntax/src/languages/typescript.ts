import { BINDINGS, COMMON, FUNCTION, IDENTIFIERS, IMPORTS, LISTS, PROPERTY, USES, WRAPPERS } from './javascript.js'
import type { LanguageSyntax } from './syntax-data.js'

const DEFINITIONS = `${COMMON}
(ERROR ["class" "interface"] . (type_identifier) @name @class)
(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(type_alias_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(internal_module name: [(identifier) (nested_identifier)] @binding) @class
(module name: [(identifier) (nested_identifier)] @binding) @class
(module name: (string (string_fragment) @name)) @class

(function_signature name: (_) @name) @function
(method_signature name: ${PROPERTY}) @method
(abstract_method_signature name: ${PROPERTY}) @method
(public_field_definition name: ${PROPERTY} value: ${FUNCTION}) @method
(public_field_definition name: ${PROPERTY}) @variable
(property_signature name: ${PROPERTY}) @variable
(enum_assignment name: ${PROPERTY}) @variable
(enum_body name: [
  (property_identifier) @name @variable
  (string . (string_fragment) @name @variable .)
])
(required_parameter [(accessibility_modifier) (override_modifier) "readonly"] pattern: (identifier) @name) @member
(optional_parameter [(accessibility_modifier) (override_modifier) "readonly"] pattern: (identifier) @name) @member
`

export const TYPESCRIPT: LanguageSyntax = {
  grammar: 'typescript',
  definitions: DEFINITIONS,
  bindings: BINDINGS,
  identifiers: [...IDENTIFIERS, 'type_identifier'],
  uses: `${USES}
(extends_clause value: (identifier) @type)
(type_identifier) @type
`,
  imports: `${IMPORTS}
(import_require_clause (identifier) @alias (string) @module) @import
`,
  wrappers: [...WRAPPERS, 'ambient_declaration'],
  marks: ['decorator'],
  lists: LISTS,
}

export const TSX: LanguageSyntax = { ...TYPESCRIPT, grammar: 'tsx' }

import type { Bindings, LanguageSyntax } from './syntax-data.js'

/** Definitions common to C and C++. Types without a body are no definitions. */
export const COMMON = `
(struct_specifier name: (type_identifier) @name body: (_)) @class
(union_specifier name: (type_identifier) @name body: (_)) @class
(enum_specifier name: (type_identifier) @name body: (_)) @class
(type_definition type: [(struct_specifier !name) (union_specifier !name) (enum_specifier !name)]
  . declarator: (_) @binding) @class
(type_definition declarator: (_) @binding @class)

(preproc_function_def name: (_) @name) @function
(function_definition declarator: (_) @binding) @function
(preproc_def name: (_) @name) @variable
(declaration declarator: (_) @binding) @variable
(field_declaration declarator: (_) @binding) @variable
(enumerator name: (_) @name) @variable

(parameter_declaration declarator: (_) @binding @parameter)
(preproc_params (identifier) @name @parameter)
`

export const BINDINGS: Bindings = {
  leaves: ['identifier', 'field_identifier', 'type_identifier'],
  through: {
    pointer_declarator: 'declarator',
    array_declarator: 'declarator',
    function_declarator: 'declarator',
    init_declarator: 'declarator',
    attributed_declarator: '',
    parenthesized_declarator: '',
  },
  callable: 'function_declarator',
}

export const WRAPPERS = ['type_definition', 'declaration', 'field_declaration']

export const C: LanguageSyntax = {
  grammar: 'c',
  definitions: COMMON,
  bindings: BINDINGS,
  identifiers: ['identifier', 'type_identifier', 'field_identifier', 'statement_identifier'],
  uses: `
(call_expression function: (identifier) @call)
(call_expression function: (field_expression field: (field_identifier) @call))
(type_identifier) @type
`,
  imports: `
(preproc_include path: (_) @module) @import
`,
  wrappers: WRAPPERS,
  lists: ['enumerator_list'],
}

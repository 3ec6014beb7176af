import type { LanguageSyntax } from './syntax-data.js'

export const PYTHON: LanguageSyntax = {
  grammar: 'python',
  definitions: `
(class_definition name: (_) @name) @class
(function_definition name: (_) @name) @function
(ERROR "def" . (identifier) @name @function)
(ERROR "class" . (identifier) @name @class)
(type_alias_statement left: (type [(identifier) @name (generic_type . (identifier) @name)])) @class

(assignment left: (identifier) @name right: (lambda)) @function
((assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)) @member
  (#any-of? @_self "self" "cls"))
(assignment left: (_) @binding) @assigned
(named_expression name: (_) @name) @assigned
(for_statement left: (_) @binding @assigned)
(as_pattern_target (_) @binding @assigned)

(parameters (identifier) @name @parameter)
(lambda_parameters (identifier) @name @parameter)
(default_parameter name: (_) @name @parameter)
(typed_parameter . [(identifier) @name @parameter (list_splat_pattern (identifier) @name @parameter)
  (dictionary_splat_pattern (identifier) @name @parameter)])
(typed_default_parameter name: (_) @name @parameter)
(parameters [(list_splat_pattern) (dictionary_splat_pattern)] @binding @parameter)
(lambda_parameters [(list_splat_pattern) (dictionary_splat_pattern)] @binding @parameter)
(for_in_clause left: (_) @binding @parameter)
(case_pattern (dotted_name . (identifier) @name @parameter .))
`,
  bindings: {
    leaves: ['identifier'],
    through: {
      pattern_list: '', tuple_pattern: '', list_pattern: '', tuple: '', list: '', list_splat_pattern: '',
      dictionary_splat_pattern: '',
    },
  },
  identifiers: ['identifier'],
  uses: `
(call function: (identifier) @call)
(call function: (attribute attribute: (identifier) @call))
(decorator (identifier) @call)
(decorator (attribute attribute: (identifier) @call))
(type (identifier) @type)
(type (attribute attribute: (identifier) @type))
(type (generic_type (identifier) @type))
(type (subscript value: (identifier) @type))
(type (binary_operator (identifier) @type))
(class_definition superclasses: (argument_list (identifier) @type))
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @type)))
(except_clause [(identifier) @type (as_pattern (identifier) @type)])
`,
  imports: `
(import_statement name: (aliased_import name: (_) @module alias: (_) @alias)) @import
(import_statement name: (dotted_name) @module) @import
(import_from_statement module_name: (_) @module name: (aliased_import name: (_) @name alias: (_) @alias)) @import
(import_from_statement module_name: (_) @module name: (dotted_name) @name) @import
(import_from_statement module_name: (_) @module (wildcard_import) @name) @import
(future_import_statement) @import
`,
  functionsInClassesAreMethods: true,
  wrappers: ['expression_statement', 'decorated_definition'],
}

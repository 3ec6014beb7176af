import type { LanguageSyntax } from './syntax-data.js'

export const RUBY: LanguageSyntax = {
  grammar: 'ruby',
  definitions: `
(module name: (_) @binding) @class
(class name: (_) @binding) @class

(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(alias name: [(identifier) (constant)] @name) @function
((call !receiver method: (identifier) @_call arguments: (argument_list (simple_symbol) @name @function))
  (#match? @_call "^attr_(accessor|reader|writer)$"))
((call !receiver method: (identifier) @_call arguments: (argument_list . (simple_symbol) @name)) @function
  (#any-of? @_call "define_method" "alias_method"))

(assignment left: (identifier) @name right: (lambda)) @function
(assignment left: [(instance_variable) (class_variable)] @name) @member
(operator_assignment left: [(instance_variable) (class_variable)] @name) @member
(assignment left: (_) @binding) @assigned
(operator_assignment left: (_) @binding) @assigned
(for pattern: (_) @binding @assigned)
(exception_variable (identifier) @name @assigned)

(method_parameters (_) @binding @parameter)
(lambda_parameters (_) @binding @parameter)
(block_parameters (_) @binding @parameter)
`,
  bindings: {
    leaves: ['identifier', 'constant', 'global_variable', 'instance_variable', 'class_variable'],
    through: {
      left_assignment_list: '', destructured_left_assignment: '', rest_assignment: '', scope_resolution: 'name',
      destructured_parameter: '', optional_parameter: 'name', keyword_parameter: 'name', splat_parameter: 'name',
      hash_splat_parameter: 'name', block_parameter: 'name',
    },
    qualified: ['scope_resolution'],
  },
  nameMarks: /^:/,
  identifiers: ['identifier', 'constant', 'global_variable', 'instance_variable', 'class_variable'],
  uses: `
(call method: [(identifier) (constant)] @call)
(superclass (constant) @type)
(superclass (scope_resolution name: (constant) @type))
`,
  imports: `
((call !receiver method: (identifier) @_require arguments: (argument_list . (string (string_content) @module))) @import
  (#any-of? @_require "require" "require_relative" "load" "autoload"))
`,
  functionsInClassesAreMethods: true,
  wrappers: ['argument_list', 'call'],
}

import type { LanguageSyntax } from './syntax-data.js'

const DEFINES = '"def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp"'
const TOLD = [
  'doc', 'moduledoc', 'typedoc', 'spec', 'type', 'typep', 'opaque', 'callback', 'macrocallback', 'impl', 'behaviour',
  'optional_callbacks', 'derive', 'deprecated', 'dialyzer', 'compile', 'on_load', 'before_compile', 'after_compile',
  'on_definition', 'external_resource', 'enforce_keys', 'since', 'tag', 'moduletag', 'describetag',
].map((name) => `"${name}"`).join(' ')

/**
 * Definitions are macro calls. Each clause of a function is a definition; module attributes are variables, except those
 * with a meaning to Elixir.
 */
export const ELIXIR: LanguageSyntax = {
  grammar: 'elixir',
  definitions: `
((call target: (identifier) @_def (arguments . (alias) @name)) @class (#any-of? @_def "defmodule" "defprotocol"))
((call target: (identifier) @_def (arguments . (alias) @name)) @scope (#eq? @_def "defimpl"))
((call target: (identifier) @_def (arguments . [
    (identifier) @name
    (call target: (identifier) @name)
    (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "when")
  ])) @function (#any-of? @_def ${DEFINES}))
((unary_operator operator: "@" operand: (call target: (identifier) @_type (arguments (binary_operator
    left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))) @class
  (#any-of? @_type "type" "typep" "opaque"))
((unary_operator operator: "@" operand: (call target: (identifier) @_callback (arguments (binary_operator
    left: (call target: (identifier) @name) operator: "::")))) @method
  (#any-of? @_callback "callback" "macrocallback"))

((unary_operator operator: "@" operand: (call target: (identifier) @name (arguments))) @assigned
  (#not-any-of? @name ${TOLD}))
((call target: (identifier) @_struct (arguments (list (atom) @name @variable)))
  (#any-of? @_struct "defstruct" "defexception"))
((call target: (identifier) @_struct (arguments (list (keywords (pair key: (keyword) @name) @variable))))
  (#any-of? @_struct "defstruct" "defexception"))
((call target: (identifier) @_struct (arguments (keywords (pair key: (keyword) @name) @variable)))
  (#any-of? @_struct "defstruct" "defexception"))
((call target: (identifier) @_def (arguments . [
    (call (arguments (_) @binding @parameter))
    (binary_operator left: (call (arguments (_) @binding @parameter)) operator: "when")
  ])) (#any-of? @_def ${DEFINES}))
(stab_clause left: (arguments (_) @binding @parameter))
(binary_operator left: (_) @binding operator: "=") @assigned
(binary_operator left: (_) @binding operator: "<-") @assigned
`,
  bindings: {
    leaves: ['identifier'],
    through: { tuple: '', list: '', binary_operator: 'left', map: '', map_content: '', keywords: '', pair: 'value' },
    pattern: /^(?!__\w+__$)/,
  },
  identifiers: ['identifier', 'alias'],
  dotted: ['alias'],
  nameMarks: /^:|:\s*$/,
  uses: `
(call target: (identifier) @call)
(call target: (dot right: (identifier) @call))
(alias) @type
`,
  imports: `
((call target: (identifier) @_import (arguments . (alias) @module
  (keywords (pair key: (keyword) @_as value: (alias) @alias)))) @import
  (#eq? @_import "alias") (#match? @_as "^as:"))
((call target: (identifier) @_import (arguments . (dot left: (alias) @module right: (tuple (alias) @name)))) @import
  (#any-of? @_import "alias" "import" "require" "use"))
((call target: (identifier) @_import (arguments . (alias) @module)) @import
  (#any-of? @_import "alias" "import" "require" "use"))
`,
  blank: '_',
  bodies: ['do_block'],
  functionsInClassesAreMethods: true,
}

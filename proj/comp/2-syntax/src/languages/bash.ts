import type { LanguageSyntax } from './syntax-data.js'

/**
 * Variables are assigned, declared, read or looped over. A name that is only exported is none, nor one that is set for
 * a single command.
 */
export const BASH: LanguageSyntax = {
  grammar: 'bash',
  definitions: `
(function_definition name: (word) @name) @function
(command (variable_assignment name: (variable_name) @name) @parameter)
(variable_assignment name: (variable_name) @name) @assigned
(variable_assignment name: (subscript name: (variable_name) @name)) @assigned
(declaration_command ["local" "declare" "typeset" "readonly"] (variable_name) @name @assigned)
(for_statement variable: (variable_name) @name @assigned)
((command name: (command_name (word) @_read) argument: (word) @name @assigned)
  (#any-of? @_read "read" "mapfile" "readarray") (#match? @name "^[A-Za-z_]\\\\w*$"))
((command name: (command_name (word) @_alias) argument: [(word) @name (concatenation . (word) @name)]) @function
  (#eq? @_alias "alias") (#match? @name "^[\\w.:-]+="))
`,
  nameMarks: /=.*$/s,
  identifiers: ['variable_name'],
  identifiersIn: { word: ['function_definition', 'command_name'] },
  uses: `
(command_name (word) @call)
`,
  imports: `
((command name: (command_name (word) @_source) . argument: (_) @module) @import (#any-of? @_source "source" "."))
`,
  looseBrackets: true,
}

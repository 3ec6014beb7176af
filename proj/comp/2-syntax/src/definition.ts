export type DefinitionKind = 'class' | 'method' | 'function' | 'variable'

/**
 * A definition in a source text. Lines and columns are 1-based, columns in UTF-16 units; a byte order mark is no
 * column; end columns are one behind the last character.
 */
export interface Definition {
  /** As written, without quotes, PHP's `$` or a Ruby symbol's colon. */
  name: string
  /**
   * `class`: classes, interfaces, structs, unions, enums, traits, type aliases, namespaces and modules;
   * `method`: functions of a class, constructors, accessors and function-valued fields or properties;
   * `function`: other functions, variables that hold a function where they are declared, and macros with parameters;
   * `variable`: variables (local ones too), constants, fields, properties and enum members.
   */
  kind: DefinitionKind
  startLine: number
  startColumn: number
  endLine: number
  endColumn: number
  nameLine: number
  nameColumn: number
  /** Dotted names of the enclosing definitions, outermost first, at most the innermost 20. */
  container?: string
}

/** A place where a name is used or defined; 1-based, the column in UTF-16 units. */
export interface IdentifierPlace {
  line: number
  column: number
}

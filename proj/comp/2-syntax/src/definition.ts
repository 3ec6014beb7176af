export type DefinitionKind = 'class' | 'method' | 'function' | 'variable'

/**
 * A definition in a source text. Lines and columns are 1-based, columns in UTF-16 units without a byte order mark; end
 * columns are exclusive.
 */
export interface Definition {
  /** The name without quotes, PHP's `$` or a Ruby symbol's colon. */
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

/** A place where a name is used or defined; 1-based, columns in UTF-16 units. */
export interface IdentifierPlace {
  line: number
  column: number
}

/** A definition with the context needed to resolve names. */
export interface VisibleDefinition extends Definition {
  /** It is a parameter of a function or type; `parseDefinitions` leaves these out. */
  parameter: boolean
  /** The innermost definition in which it is visible; for a member, the class. Absent at top level. */
  within?: VisibleDefinition
  /** Nesting depth: number of definitions around it. */
  depth: number
  /** It can be used in other files: neither a parameter nor local to a function. */
  shared: boolean
}

export interface IdentifierUse {
  name: string
  /** 1-based position of its first character. */
  line: number
  column: number
  /** The qualifier before it: `a` in `a.name`, `a->name` and `a::name`; `''` where that is no plain name. */
  qualifier?: string
}

/**
 * The role of an identifier: it names a definition, is called (or constructed), is in an import, names a type, or none
 * of these.
 */
export const OCCURRENCE_KINDS = ['other', 'definition', 'call', 'import', 'type'] as const
export type OccurrenceKind = (typeof OCCURRENCE_KINDS)[number]

export interface Occurrence extends IdentifierPlace {
  name: string
  kind: OccurrenceKind
}

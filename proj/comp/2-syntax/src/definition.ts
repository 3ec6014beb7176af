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

/** A definition with what a search for a name's meaning needs besides. */
export interface VisibleDefinition extends Definition {
  /** A parameter, of a function or of a type: `parseDefinitions` has none of them. */
  parameter: boolean
  /** The innermost definition around it, where it can be seen; a member's is the class. Absent at the top. */
  within?: VisibleDefinition
  /** How many are around it, one in the other. */
  depth: number
  /** It can be used in other files: neither a parameter nor local to a function. */
  shared: boolean
}

export interface IdentifierUse {
  name: string
  /** 1-based, of its first character. */
  line: number
  column: number
  /** What it is looked up in, as `a` in `a.name`, `a->name` and `a::name`; `''` where that is no plain name. */
  qualifier?: string
}

/**
 * What an identifier does where it stands: it names a definition, is called (or constructed), stands in an import,
 * names a type, or none of these.
 */
export const OCCURRENCE_KINDS = ['other', 'definition', 'call', 'import', 'type'] as const
export type OccurrenceKind = (typeof OCCURRENCE_KINDS)[number]

export interface Occurrence extends IdentifierPlace {
  name: string
  kind: OccurrenceKind
}

/** How to find the names in a pattern or declarator, e.g. `a` and `b` in `{ x: a, ...b }`. */
export interface Bindings {
  /** Node types that are names. */
  leaves: readonly string[]
  /** Node types that contain names: in this field, in all children except a field (`-type`), or in all (`''`). */
  through: Readonly<Record<string, string>>
  /** Node type that makes the name inside it a function's. */
  callable?: string
  /** Node types whose field `scope` is the container of the name in their field `name`. */
  qualified?: readonly string[]
  /** What names must match, if constants look like names. */
  pattern?: RegExp
}

/**
 * What hermes knows of a language besides its grammar.
 *
 * Captures of `definitions`: the kind, on the defining node (`@class`, `@method`, `@function`, `@variable`, or one of
 * those below), with `@name` on its name or `@binding` on a pattern of names; `@container` on the class for which a
 * method is defined elsewhere. If several patterns capture a name, the first counts.
 * - `@assigned`: a variable declared by assignment; the first one in its container counts.
 * - `@block`: variables assigned in it are new, even if an outer block has the same name.
 * - `@member`: a field defined inside a method; its container is the class.
 * - `@parameter`: visible in its function, but no definition by itself.
 * - On an `ERROR` node, unfinished code defines only a name, as its content is unknown.
 * - `@scope`: a container that is no definition, such as Rust's `impl`.
 */
export interface LanguageSyntax {
  /** Name of the grammar file, without `tree-sitter-` and `.wasm`. */
  grammar: string
  definitions: string
  bindings?: Bindings
  /** Node types of identifiers. */
  identifiers: readonly string[]
  /** Node types that are identifiers directly below certain others. */
  identifiersIn?: Readonly<Record<string, readonly string[]>>
  /** Node types that contain a name with its containers, separated by dots: Elixir's `Net.Server`. */
  dotted?: readonly string[]
  /** Characters at the ends of a name's node that are not part of the name. */
  nameMarks?: RegExp
  /** Query for the roles of identifiers: `@call` if called or constructed, `@type` if naming a type. */
  uses: string
  /**
   * Query for imports: `@import` on a statement, `@module` on the module, `@name` and `@alias` on what is imported,
   * `@default` on the name for a default export, `@all` on an import of everything, `@path` on a module with the
   * imported name behind its last dot, where no other pattern matches the statement. If several patterns capture a
   * name, the first counts; a pattern that only captures the module counts if the statement imports no names.
   */
  imports: string
  /** A function directly in a class is a method. */
  functionsInClassesAreMethods?: boolean
  /** The name that defines nothing, such as `_`. */
  blank?: string
  /** Node types around a definition that belong to the declaration: `export`, `const`, decorators. */
  wrappers?: readonly string[]
  /** Node types right before a declaration that belong to it without being around it. */
  marks?: readonly string[]
  /** Brackets may be unpaired, such as those of `case` in shell. */
  looseBrackets?: true
  /** Node types of a declaration's body, if it is not in the field `body`. */
  bodies?: readonly string[]
  /** Node types whose members are separated by commas. */
  lists?: readonly string[]
}

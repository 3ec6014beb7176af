/** How the names of a pattern or declarator are found, e.g. `a` and `b` in `{ x: a, ...b }`. */
export interface Bindings {
  /** Node types that are a name themselves. */
  leaves: readonly string[]
  /** Node types that hold names: in which field, in all children but a field (`-type`), or in all (`''`). */
  through: Readonly<Record<string, string>>
  /** The node type that makes the name inside it that of a function. */
  callable?: string
  /** Node types whose field `scope` names the container of the name in their field `name`. */
  qualified?: readonly string[]
  /** What names must match, where constants look like names. */
  pattern?: RegExp
}

/**
 * What hermes knows of a language besides its grammar.
 *
 * The captures of `definitions`: a kind, on the node that defines (`@class`, `@method`, `@function`, `@variable`, or
 * one of the next), with `@name` on its name or `@binding` on a pattern of names; `@container` on the name of the
 * class a method is defined for elsewhere. Of several patterns that capture a name, the first counts.
 * - `@assigned`: a variable that an assignment declares: the first one in its container counts.
 * - `@block`: what assignments in it declare is new there, though a block around it has the name.
 * - `@member`: a field that is defined inside a method; its container is the class.
 * - `@parameter`: no definition by itself, but seen by its function.
 * - On an `ERROR`, what is not finished defines with its name alone: what it holds is not known.
 * - `@scope`: a container that is no definition, such as Rust's `impl`.
 */
export interface LanguageSyntax {
  /** File name of the grammar, without `tree-sitter-` and `.wasm`. */
  grammar: string
  definitions: string
  bindings?: Bindings
  /** Node types of identifiers. */
  identifiers: readonly string[]
  /** Node types that are identifiers right below some others. */
  identifiersIn?: Readonly<Record<string, readonly string[]>>
  /** Node types that write a name with its containers before it, with dots between: Elixir's `Net.Server`. */
  dotted?: readonly string[]
  /** What a node of a name may begin or end with that is no part of it. */
  nameMarks?: RegExp
  /** A query for identifiers: `@call` on those that are called or constructed, `@type` on those that name a type. */
  uses?: string
  /**
   * A query: `@import` on a statement, `@module` on what it names, `@name` and `@alias` for what it takes from it,
   * `@default` on the name given to a default export, `@all` on what takes all of it, `@path` on a module and, behind
   * its last dot, the name taken, where no other pattern finds an import in the statement. Of several patterns that
   * capture a name, the first counts; one that captures only the module counts where the statement takes no names.
   */
  imports?: string
  /** A function whose innermost container is a class is a method. */
  functionsInClassesAreMethods?: boolean
  /** Names that define nothing. */
  blank?: string
  /** Node types around what defines that belong to the declaration as a whole: `export`, `const`, decorators. */
  wrappers?: readonly string[]
  /** Node types right before a declaration that belong to it, where they are not around it. */
  marks?: readonly string[]
  /** Brackets need no partner, as those of `case` in shell. */
  looseBrackets?: true
  /** Node types of the body of a declaration, where it is in no field `body`. */
  bodies?: readonly string[]
  /** Node types whose members commas part. */
  lists?: readonly string[]
}

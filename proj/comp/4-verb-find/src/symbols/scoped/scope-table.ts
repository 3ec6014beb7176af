import type { SyntaxNode } from '../../../../2-syntax/src/index.js'

/** A name, or all names, that an import brings into a scope. */
export interface ScopeImport {
  /** Local name; absent for all names of the path. */
  local?: string
  path: readonly string[]
}

/** Rules for names in a language: where scopes are, how members are written, what imports bring in. */
export interface LanguageScopes {
  /** How packages are found: by directory, by names in the files, or by a crate's tree of modules. */
  modules: 'directories' | 'names' | 'crates'
  /** Whether a namespace sees the names of those around it: `A` in `A.B`. */
  modulesNest?: true
  /** The file's own module, if the file names it. */
  moduleOf?: (file: SyntaxNode, path: string) => string
  /**
   * Node types that open a scope: types with members; functions, blocks and others with local names; modules in a file.
   */
  types: ReadonlySet<string>
  blocks: ReadonlySet<string>
  moduleNodes?: ReadonlySet<string>
  /** Whether members can be used without qualification inside of their type. */
  seesMembers: boolean
  /** Whether methods, types and variables of the same name do not hide one another. */
  separate?: true
  /** Statements whose declarations can be used only after them. */
  statements: ReadonlySet<string>
  /** Whether functions and types of a block can be used before their declaration. */
  hoists?: true
  /** Loops, whose variables are not visible in what they iterate over. */
  loops: ReadonlySet<string>
  /** Node types for access to a member: the fields or indexes of object and name. */
  access: Readonly<Record<string, readonly [object: string, name: string]>>
  /**
   * For a node that names a member of another node around it, that node; `'unknown'` for a name that cannot be
   * resolved.
   */
  special?: (around: readonly SyntaxNode[], node: SyntaxNode) => SyntaxNode | 'unknown' | undefined
  /** The nodes of a type's base types. */
  supers: (type: SyntaxNode) => SyntaxNode[]
  /** Nodes with members of a type defined elsewhere: the field that names the type. */
  impl?: Readonly<Record<string, string>>
  /** Nodes whose value is that of a part; and nodes that make an object of the type that a part names. */
  same: Readonly<Record<string, string>>
  calls: Readonly<Record<string, string>>
  /** Fields of functions that hold their return type. */
  returns: readonly string[]
  /** Words for the enclosing object or class; and for its base class. */
  self: ReadonlySet<string>
  parent: ReadonlySet<string>
  /** The imports of a node; `undefined` if it is not an import. */
  imports: (node: SyntaxNode) => ScopeImport[] | undefined
  /** Node types of interfaces, whose methods other types implement. */
  abstract: ReadonlySet<string>
  /** Whether any type with the right methods implements an interface. */
  structural?: true
}

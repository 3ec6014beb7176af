import type { SyntaxNode } from '../../../../2-syntax/src/index.js'

/** A name, or all names, that an import brings into a scope. */
export interface ScopeImport {
  /** What it is called here; absent for all names of the path. */
  local?: string
  path: readonly string[]
}

/** What names mean in a language: where scopes are, how members are written, what imports bring in. */
export interface LanguageScopes {
  /** How packages are found: by their directory, by names in the files, by the tree of modules of a crate. */
  modules: 'directories' | 'names' | 'crates'
  /** A namespace sees what those around it hold: `A` in `A.B`. */
  modulesNest?: true
  /** The file's own module, where the file says it. */
  moduleOf?: (file: SyntaxNode, path: string) => string
  /** Node types of a type with members; of functions, blocks and others with local names; of modules in a file. */
  types: ReadonlySet<string>
  blocks: ReadonlySet<string>
  moduleNodes?: ReadonlySet<string>
  /** Members of a type are named alone in it. */
  seesMembers: boolean
  /** Methods, types and variables of one name hide no others. */
  separate?: true
  /** What is declared in such a statement can be named only behind it. */
  statements: ReadonlySet<string>
  /** Functions and types of a block can be named before they are declared. */
  hoists?: true
  /** Loops, whose names cannot be named in what they run through. */
  loops: ReadonlySet<string>
  /** Node types that write a member: in which field or at which index the object and the name are. */
  access: Readonly<Record<string, readonly [object: string, name: string]>>
  /** Where a node writes a member of something else around it, or a name that is not known here. */
  special?: (around: readonly SyntaxNode[], node: SyntaxNode) => SyntaxNode | 'unknown' | undefined
  /** Nodes that hold what a type inherits from. */
  supers: (type: SyntaxNode) => SyntaxNode[]
  /** In which field a node has the type whose members it has. */
  impl?: Readonly<Record<string, string>>
  /** Nodes whose value is that of a part, or an object of the type that the part names. */
  same: Readonly<Record<string, string>>
  calls: Readonly<Record<string, string>>
  /** The fields of functions with what they return. */
  returns: readonly string[]
  /** Words for the object or class around; for that which it inherits from. */
  self: ReadonlySet<string>
  parent: ReadonlySet<string>
  /** `undefined` for what is no import. */
  imports: (node: SyntaxNode) => ScopeImport[] | undefined
  /** Node types of a type without members of its own: interfaces, whose methods others have. */
  abstract: ReadonlySet<string>
  /** Any type with its methods is of an interface. */
  structural?: true
}

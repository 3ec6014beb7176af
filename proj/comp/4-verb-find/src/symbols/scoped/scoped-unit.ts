import type { ApprovedPath } from '../../../../0-contracts/src/index.js'
import type { DefinitionKind, LanguageId, SyntaxNode } from '../../../../2-syntax/src/index.js'
import type { LanguageScopes, ScopeImport } from './scope-table.js'

/** A definition, with what tells of which type it is. */
export interface Declared {
  name: string
  kind: DefinitionKind
  isParameter: boolean
  line: number
  column: number
  unit: Unit
  /** Names of what it is in, below its module. */
  container: readonly string[]
  /** Only its function sees it. */
  isLocal: boolean
  /** Where its name is looked up from. */
  scope: Scope
  /** From which identifier of the file on it can be named; 0 for what can be named everywhere in its scope. */
  from: number
  /** The node that declares it. */
  node: SyntaxNode
  /** What it holds, of a class or function. */
  body?: Scope
  type?: SyntaxNode
  /** What it is initialised with; one of several results. */
  value?: { node: SyntaxNode; index: number; at: number }
}

export interface Scope {
  kind: 'module' | 'type' | 'block'
  unit: Unit
  parent?: Scope
  names: Map<string, Declared[]>
  /** Of a module: its name, with that of the file's module before it. */
  key: string
  imports: ScopeImport[]
  /** Of a type: what declares it; absent for one without a name. */
  owner?: Declared
  /** Of a type: what it inherits from, as written. */
  supers: SyntaxNode[]
  /** The type whose members these are, where they stand apart from it. */
  implOf?: SyntaxNode
}

/** An identifier where it stands. */
export interface ScopedUse {
  node: SyntaxNode
  /** From the file down to the node around it. */
  around: readonly SyntaxNode[]
  scope: Scope
  at: number
}

/** A source file as scopes, what is declared in them, and identifiers. */
export interface Unit {
  path: ApprovedPath
  language: LanguageId
  table: LanguageScopes
  /** Package, namespace or module of the file. */
  module: string
  scope: Scope
  /** By `line:column`. */
  declared: Map<string, Declared>
  uses: Map<string, ScopedUse>
}

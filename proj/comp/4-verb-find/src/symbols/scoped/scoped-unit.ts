import type { ApprovedPath } from '../../../../0-contracts/src/index.js'
import type { DefinitionKind, LanguageId, SyntaxNode } from '../../../../2-syntax/src/index.js'
import type { LanguageScopes, ScopeImport } from './scope-table.js'

/** A definition, with what determines its type. */
export interface Declared {
  name: string
  kind: DefinitionKind
  isParameter: boolean
  line: number
  column: number
  unit: Unit
  /** Names of its enclosing definitions, within its module. */
  container: readonly string[]
  /** Whether only its function sees it. */
  isLocal: boolean
  /** Scope for resolving names in its declaration. */
  scope: Scope
  /** Index of the first identifier of the file that can refer to it; 0 if it is visible in its whole scope. */
  from: number
  /** The declaring node. */
  node: SyntaxNode
  /** Scope of a class or function. */
  body?: Scope
  type?: SyntaxNode
  /** Its initial value; `index` selects one of several results. */
  value?: { node: SyntaxNode; index: number; at: number }
}

export interface Scope {
  kind: 'module' | 'type' | 'block'
  unit: Unit
  parent?: Scope
  names: Map<string, Declared[]>
  /** Qualified name of a module, with that of the file's module before it. */
  key: string
  imports: ScopeImport[]
  /** Definition of a type; absent for one without a name. */
  owner?: Declared
  /** Base types of a type, as written. */
  supers: SyntaxNode[]
  /** The type that these members belong to, if they are defined apart from it. */
  implOf?: SyntaxNode
}

/** An identifier at its place. */
export interface ScopedUse {
  node: SyntaxNode
  /** Enclosing nodes, outermost first. */
  around: readonly SyntaxNode[]
  scope: Scope
  at: number
}

/** A source file as scopes, declarations and identifiers. */
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

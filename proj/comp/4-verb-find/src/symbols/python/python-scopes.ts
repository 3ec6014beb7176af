import type { ApprovedPath } from '../../../../0-contracts/src/index.js'

/** An expression, as far as values can be followed through it. */
export type Expression =
  | { kind: 'name'; name: string; scope: Scope; narrowed?: Expression }
  | { kind: 'attribute'; base: Expression; name: string; narrowed?: Expression }
  | { kind: 'call'; callee: Expression; args: Expression[]; scope: Scope }
  | { kind: 'item'; base: Expression; index: Expression[] }
  /** What iterating over it gives, at an index of the tuple that this is. */
  | { kind: 'element'; base: Expression }
  | { kind: 'nth'; base: Expression; index: number }
  /** What `with` gives of it. */
  | { kind: 'entered'; base: Expression }
  | { kind: 'either'; of: Expression[] }
  /** A value of a type of Python's own; of containers with what is in them. */
  | { kind: 'literal'; type: string; parts: Expression[][] }
  /** An instance of the type that this is the annotation of. */
  | { kind: 'instance'; type: Expression }
  | { kind: 'unknown' }

export const UNKNOWN: Expression = { kind: 'unknown' }

export interface Binding {
  kind: 'module' | 'from' | 'class' | 'function' | 'variable' | 'parameter'
  /** Of the name; from 1. */
  line: number
  column: number
  /** Of an import: dotted, with its leading dots. */
  module?: string
  /** What `from` takes. */
  imported?: string
  /** Of a class or function. */
  body?: Scope
  annotation?: Expression
  value?: Expression
}

/** A name in one scope, with all that is bound to it there. */
export interface PythonSymbol {
  name: string
  scope: Scope
  bindings: Binding[]
}

export interface Scope {
  kind: 'module' | 'class' | 'function'
  name: string
  module: PythonModule
  parent?: Scope
  symbols: Map<string, PythonSymbol>
  /** Names of `global` and `nonlocal` statements. */
  elsewhere: Map<string, 'global' | 'nonlocal'>
  /** Of a class. */
  bases: Expression[]
  /** Of a function. */
  decorators: Expression[]
  parameters: PythonSymbol[]
  returns: Expression[]
  yields: Expression[]
  annotation?: Expression
  /** Modules of `from … import *`. */
  stars: string[]
}

/** What an identifier does where it stands. */
export type Use =
  | { kind: 'name'; name: string; scope: Scope }
  | { kind: 'attribute'; base: Expression; name: string }
  | { kind: 'imported'; module: string; name: string }
  /** The last part of the dotted name of a module. */
  | { kind: 'module'; module: string }
  /** The name of an argument. */
  | { kind: 'keyword'; callee: Expression; name: string }

export interface PythonModule {
  path: ApprovedPath
  scope: Scope
  /** By `line:column`. */
  uses: Map<string, Use>
  /** Whether `from … import *` takes a name. */
  exports: (name: string) => boolean
}

export function newScope(kind: Scope['kind'], name: string, module: PythonModule, parent?: Scope): Scope {
  return {
    kind, name, module, ...(parent && { parent }), symbols: new Map(), elsewhere: new Map(), bases: [], decorators: [],
    parameters: [], returns: [], yields: [], stars: [],
  }
}

/** Where a name that is bound in a scope belongs. */
export function homeOf(scope: Scope, name: string): Scope {
  const elsewhere = scope.elsewhere.get(name)
  if (elsewhere === 'global') return scope.module.scope
  if (elsewhere === undefined) return scope
  for (let home = scope.parent; home?.kind === 'function'; home = home.parent) if (home.symbols.has(name)) return home
  return scope
}

/** The class of which a name is the object, in a method: its first parameter. */
export function classOfSelf(name: string, scope: Scope): Scope | undefined {
  for (let method: Scope | undefined = scope; method; method = method.parent) {
    if (!method.symbols.has(name)) continue
    return method.parent?.kind === 'class' && method.parameters[0]?.name === name ? method.parent : undefined
  }
  return undefined
}

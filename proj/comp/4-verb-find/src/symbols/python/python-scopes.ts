import type { ApprovedPath } from '../../../../0-contracts/src/index.js'

/** An expression, as far as values can be followed through it. */
export type Expression =
  | { kind: 'name'; name: string; scope: Scope; narrowed?: Expression }
  | { kind: 'attribute'; base: Expression; name: string; narrowed?: Expression }
  | { kind: 'call'; callee: Expression; args: Expression[]; scope: Scope }
  | { kind: 'item'; base: Expression; index: Expression[] }
  /** The element that iterating over it yields; or the element at an index of a tuple. */
  | { kind: 'element'; base: Expression }
  | { kind: 'nth'; base: Expression; index: number }
  /** The value that `with` gives. */
  | { kind: 'entered'; base: Expression }
  | { kind: 'either'; of: Expression[] }
  /** A value of a built-in type; for containers with its elements. */
  | { kind: 'literal'; type: string; parts: Expression[][] }
  /** An instance of the annotated type. */
  | { kind: 'instance'; type: Expression }
  | { kind: 'unknown' }

export const UNKNOWN: Expression = { kind: 'unknown' }

export interface Binding {
  kind: 'module' | 'from' | 'class' | 'function' | 'variable' | 'parameter'
  /** Position of the name, from 1. */
  line: number
  column: number
  /** Module of an import: dotted, with leading dots. */
  module?: string
  /** The name that `from` imports. */
  imported?: string
  /** Scope of a class or function. */
  body?: Scope
  annotation?: Expression
  value?: Expression
}

/** A name in one scope, with all its bindings there. */
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
  /** Names in `global` and `nonlocal` statements. */
  elsewhere: Map<string, 'global' | 'nonlocal'>
  /** Base classes of a class. */
  bases: Expression[]
  /** Decorators of a function. */
  decorators: Expression[]
  parameters: PythonSymbol[]
  returns: Expression[]
  yields: Expression[]
  annotation?: Expression
  /** Modules of `from … import *`. */
  stars: string[]
}

/** What an identifier is used for. */
export type Use =
  | { kind: 'name'; name: string; scope: Scope }
  | { kind: 'attribute'; base: Expression; name: string }
  | { kind: 'imported'; module: string; name: string }
  /** The last part of a module's dotted name. */
  | { kind: 'module'; module: string }
  /** The name of a keyword argument. */
  | { kind: 'keyword'; callee: Expression; name: string }

export interface PythonModule {
  path: ApprovedPath
  scope: Scope
  /** By `line:column`. */
  uses: Map<string, Use>
  /** Whether `from … import *` imports a name. */
  exports: (name: string) => boolean
}

export function newScope(kind: Scope['kind'], name: string, module: PythonModule, parent?: Scope): Scope {
  return {
    kind, name, module, ...(parent && { parent }), symbols: new Map(), elsewhere: new Map(), bases: [], decorators: [],
    parameters: [], returns: [], yields: [], stars: [],
  }
}

/** The scope that a name bound in a scope belongs to. */
export function homeOf(scope: Scope, name: string): Scope {
  const elsewhere = scope.elsewhere.get(name)
  if (elsewhere === 'global') return scope.module.scope
  if (elsewhere === undefined) return scope
  for (let home = scope.parent; home?.kind === 'function'; home = home.parent) if (home.symbols.has(name)) return home
  return scope
}

/** The class whose object a name stands for: in a method, the first parameter. */
export function classOfSelf(name: string, scope: Scope): Scope | undefined {
  for (let method: Scope | undefined = scope; method; method = method.parent) {
    if (!method.symbols.has(name)) continue
    return method.parent?.kind === 'class' && method.parameters[0]?.name === name ? method.parent : undefined
  }
  return undefined
}

import type { Expression, PythonModule, PythonSymbol, Scope } from './python-scopes.js'

export const BUILTINS = 'builtins'
const MOST_VALUES = 12

/** What an expression may be, as far as it is known. */
export type Value =
  /** With `isSelf`, what a method is called on: of a class that inherits the method, where it is called on one. */
  | { kind: 'class'; scope: Scope; isSelf?: true }
  | { kind: 'instance'; scope: Scope; isSelf?: true }
  | { kind: 'function'; scope: Scope; self?: Value }
  | { kind: 'module'; module: PythonModule }
  /** A package without `__init__.py`. */
  | { kind: 'directory'; path: string }
  /** Of another place than the root: of Python's own or of an installed package. */
  | { kind: 'external'; module: string; name: string; isResult?: true; parts?: Value[][] }
  | { kind: 'unknown' }

/** What a name means: symbols of the root, or something outside. */
export interface Meaning {
  symbols: Set<PythonSymbol>
  /** Modules of the root, by their files. */
  modules: Set<PythonModule>
  /** The module outside the root. */
  external?: string
  /** It may mean something else besides. */
  isUnknown: boolean
}

export type Target =
  | { kind: 'symbol'; symbol: PythonSymbol }
  | { kind: 'module'; module: PythonModule }
  | { kind: 'directory'; path: string }
  | { kind: 'external'; module: string; name: string }

/** Where modules are found. */
export interface ModuleSource {
  /** @param from the module that imports; the name has leading dots where it is relative to that */
  find: (name: string, from: PythonModule) => Target | undefined
  /** A module within a package or directory. */
  within: (directory: string, name: string) => Target | undefined
}

export function instanceOf(value: Value): Value[] {
  if (value.kind === 'class') return [asInstance(value)]
  return value.kind === 'external' && !value.isResult ? [{ ...value, isResult: true }] : []
}

export function asInstance(value: Value): Value {
  return value.kind === 'class' ? { ...value, kind: 'instance' } : value
}

export function asClass(value: Value): Value {
  return value.kind === 'instance' ? { ...value, kind: 'class' } : value
}

/** What a method of a class returns, where it is called on a value that may be of a class below. */
export function calledOn(self: Value | undefined, owner: Scope | undefined, returned: readonly Value[]): Value[] {
  if (self?.kind !== 'instance' && self?.kind !== 'class') return [...returned]
  return distinct(returned.map((value): Value => {
    const isOf = (value.kind === 'instance' || value.kind === 'class') && isSelf(value) && value.scope === owner
    return isOf ? { ...self, kind: value.kind } : value
  }))
}

export function nothingYet(isUnknown: boolean): Meaning {
  return { symbols: new Set(), modules: new Set(), isUnknown }
}

export function classAround(scope: Scope): Scope | undefined {
  for (let around: Scope | undefined = scope; around; around = around.parent) if (around.kind === 'class') return around
  return undefined
}

export function nameOf(expression: Expression): string {
  switch (expression.kind) {
    case 'name':
    case 'attribute': return expression.name
    case 'call': return nameOf(expression.callee)
    case 'item': return nameOf(expression.base)
    default: return ''
  }
}

export function distinct(values: readonly Value[]): Value[] {
  const found: Value[] = []
  for (const value of values) {
    if (found.length === MOST_VALUES) break
    const isThere = found.some((other) => other === value || (other.kind === value.kind
      && 'scope' in other && 'scope' in value && other.scope === value.scope && !('self' in value)
      && isSelf(other) === isSelf(value)))
    if (!isThere) found.push(value)
  }
  return found
}

function isSelf(value: Value): boolean {
  return 'isSelf' in value
}

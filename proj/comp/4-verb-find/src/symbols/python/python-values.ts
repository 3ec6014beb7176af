import type { Expression, PythonModule, PythonSymbol, Scope } from './python-scopes.js'

export const BUILTINS = 'builtins'
const MOST_VALUES = 12

/** A possible value of an expression. */
export type Value =
  /** With `isSelf`, the object or class that a method is called on, which may be of a subclass. */
  | { kind: 'class'; scope: Scope; isSelf?: true }
  | { kind: 'instance'; scope: Scope; isSelf?: true }
  | { kind: 'function'; scope: Scope; self?: Value }
  | { kind: 'module'; module: PythonModule }
  /** A package without `__init__.py`. */
  | { kind: 'directory'; path: string }
  /** From outside the root: from Python itself or an installed package. */
  | { kind: 'external'; module: string; name: string; isResult?: true; parts?: Value[][] }
  | { kind: 'unknown' }

/** The meaning of a name: symbols of the root, or something external. */
export interface Meaning {
  symbols: Set<PythonSymbol>
  /** Modules of the root. */
  modules: Set<PythonModule>
  /** External module. */
  external?: string
  /** Whether it may mean something else too. */
  isUnknown: boolean
}

export type Target =
  | { kind: 'symbol'; symbol: PythonSymbol }
  | { kind: 'module'; module: PythonModule }
  | { kind: 'directory'; path: string }
  | { kind: 'external'; module: string; name: string }

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

/** Return values of a method that is called on a value which may be of a subclass. */
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
  const kept: Value[] = []
  for (const value of values) {
    if (kept.length === MOST_VALUES) break
    const isThere = kept.some((other) => other === value || (other.kind === value.kind
      && 'scope' in other && 'scope' in value && other.scope === value.scope && !('self' in value)
      && isSelf(other) === isSelf(value)))
    if (!isThere) kept.push(value)
  }
  return kept
}

function isSelf(value: Value): boolean {
  return 'isSelf' in value
}

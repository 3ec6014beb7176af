import type { Declared } from './scoped-unit.js'

/** What a name or an expression stands for. */
export type Target =
  /** Definitions of one qualified name: overloads, parts of a class. */
  | { kind: 'declared'; all: readonly Declared[] }
  /** A package, namespace or module of the root. */
  | { kind: 'module'; key: string }
  /** An external package, or something from one; `''` where it is unknown which. */
  | { kind: 'external'; module: string; isPackage?: true }
  | { kind: 'unknown' }

export const UNKNOWN: Target = { kind: 'unknown' }

/** Kind of name: in some languages names of different kinds do not hide one another. */
export type Role = 'type' | 'method' | 'value'

export function isType({ kind, isParameter }: Declared): boolean {
  return kind === 'class' && !isParameter
}

export function isCallable({ kind }: Declared): boolean {
  return kind === 'method' || kind === 'function'
}

export function targetOf(all: readonly Declared[]): Target | undefined {
  return all.length === 0 ? undefined : { kind: 'declared', all }
}

export function joined(owner: string, name: string): string {
  return owner === '' ? name : `${owner}.${name}`
}

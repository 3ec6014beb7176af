import type { Declared, Scope, Unit } from './scoped-unit.js'

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

/** Finds the definitions and modules of a root. */
export interface ScopedIndex {
  unit: (path: string) => Unit | undefined
  /** Definitions of a name in files of a language that others can see; those in an owner of that name. */
  named: (name: string, owner: string, unit: Unit) => readonly Declared[]
  /** The package that an import path means, for languages whose packages are directories or crates. */
  packageAt: (path: string, from: Unit) => string | undefined
  /** The top module of a file's crate. */
  crateOf: (unit: Unit) => string
  /** The scopes of a crate's module, in its own files and in others. */
  scopesOf: (key: string, from: Unit) => readonly Scope[]
  /** Whether the root has files where those of a package would be. */
  hasPackage: (path: readonly string[], from: Unit) => boolean
}

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

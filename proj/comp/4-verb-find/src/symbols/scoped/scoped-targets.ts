import type { Declared, Scope, Unit } from './scoped-unit.js'

/** What a name or an expression stands for. */
export type Target =
  /** Definitions of one qualified name: overloads, parts of a class. */
  | { kind: 'declared'; all: readonly Declared[] }
  /** A package, namespace or module of the root. */
  | { kind: 'module'; key: string }
  /** A package outside the root, or something of one; `''` where it is not known which. */
  | { kind: 'external'; module: string; isPackage?: true }
  | { kind: 'unknown' }

export const UNKNOWN: Target = { kind: 'unknown' }

/** What kind of thing is named: languages in which others of the same name are not in the way. */
export type Role = 'type' | 'method' | 'value'

/** Where definitions and modules of a root are found. */
export interface ScopedIndex {
  unit: (path: string) => Unit | undefined
  /** Definitions of a name in files of a language, that others can see; those in a container of that name. */
  named: (name: string, owner: string, unit: Unit) => readonly Declared[]
  /** The package that an import path means, for languages whose packages are directories or crates. */
  packageAt: (path: string, from: Unit) => string | undefined
  /** The topmost module of a file's crate. */
  crateOf: (unit: Unit) => string
  /** The files of a module of a crate, and what is written of it in others. */
  scopesOf: (key: string, from: Unit) => readonly Scope[]
  /** Whether files of the root lie where those of a package do. */
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

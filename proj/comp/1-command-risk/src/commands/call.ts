import type { DangerName } from '../dangers.js'

/** A command with its arguments. */
export interface Call {
  /** Without directory. */
  name: string
  args: readonly string[]
  /** What it reads, as far as it is known. */
  stdin: string
  /** As written: name and arguments. */
  words: readonly string[]
}

/** Judges one command by its arguments. */
export type Rule = (call: Call) => DangerName | undefined

/** A table with the same value for several names, written with blanks between them. */
export function each<T>(names: string, value: T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]))
}

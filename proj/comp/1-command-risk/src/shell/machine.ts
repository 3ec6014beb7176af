import type { Scope } from './scope.js'

/** What commands that run commands need. Each gives what is printed, as far as it is known. */
export interface Machine {
  readonly scope: Scope
  /** Follows shell text in this shell (`eval`, `source`). */
  here(text: string, stdin: string, parameters?: readonly string[]): string
  /** Follows shell text in a shell of its own. */
  apart(text: string, stdin: string, parameters?: readonly string[]): string
  /** Follows one command with its arguments. */
  call(words: readonly string[], stdin: string): string
  /** Follows a text that the shell evaluates: arithmetic, or the name of a variable with its subscript. */
  evaluate(text: string): void
  /** Sets a variable, and reports what it lets other programs run. */
  assign(name: string, value: string): void
  /** Runs a function of the script, if there is one of that name. */
  callFunction(words: readonly string[], stdin: string): string | undefined
}

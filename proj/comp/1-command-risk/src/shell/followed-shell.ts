import type { Scope } from './scope.js'

/**
 * The shell that a script is followed in: nothing runs, and what would be dangerous is reported to its scope. For rules
 * of commands that run commands; the only one is `ScriptRun`, which imports those rules. What gives a text gives what
 * would be printed, as far as that is known.
 */
export interface FollowedShell {
  readonly scope: Scope
  /** Follows shell text in this shell (`eval`, `source`). */
  here(text: string, stdin: string, parameters?: readonly string[]): string
  /** Follows shell text in a shell of its own (`sh -c`, `ssh`): of what it sets, only files are known afterwards. */
  apart(text: string, stdin: string, parameters?: readonly string[]): string
  /** Follows one command with its arguments. */
  call(words: readonly string[], stdin: string): string
  /** Follows a text that the shell evaluates: arithmetic, or the name of a variable with its subscript. */
  evaluate(text: string): void
  /** Sets a variable, and reports what it lets other programs run. */
  assign(name: string, value: string): void
  /** Follows a function of the script; `undefined` where the script has none of that name. */
  callFunction(words: readonly string[], stdin: string): string | undefined
}

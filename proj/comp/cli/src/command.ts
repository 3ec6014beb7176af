import type { Arguments, Flag } from './arguments.js'

/** A command as data: arguments, help and hints are all derived from it. */
export interface Command {
  name: string
  /** One line for `hermes --help`. */
  summary: string
  /** Lines after `hermes`, e.g. `apply [FILE|-] [options]`. */
  usage: readonly string[]
  /** What there is to know beyond the flags. */
  about: readonly string[]
  /** Most positional arguments. */
  maxPositionals: number
  flags: readonly Flag[]
  /** `--json` prints a document for each run, one a line. Default: one document. */
  jsonLines?: true
  example: { line: string; does: string }
  /** Exit codes and their meaning. */
  exits: readonly (readonly [code: number, meaning: string])[]
  load: () => Promise<CommandRun>
}

/** What commands about commands need. */
export interface Program {
  commands: readonly Command[]
  /** Reads that of hermes. */
  version: () => string
  /** That of hermes. */
  packageFile: () => URL
}

/** @returns the exit code. @throws HermesError for wrong usage and for what stops the command */
export type CommandRun = (args: Arguments, program: Program) => Promise<number>

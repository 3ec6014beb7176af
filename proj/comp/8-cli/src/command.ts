import type { CommandText } from '../../7-setup/src/index.js'
import type { Arguments } from './arguments.js'

/** A command as data: arguments, help and hints are all derived from it. */
export interface Command extends CommandText {
  /** Most positional arguments. */
  maxPositionals: number
  /** `--json` prints a document for each run, one a line. Default: one document. */
  jsonLines?: true
  load: () => Promise<CommandRun>
}

/**
 * A command as its folder says it: without `--help`, and where nothing is said it takes options, and no positional
 * argument. `about` is one text, whose lines may be indented.
 */
export type CommandSpec = Omit<Command, 'about' | Usual> & Partial<Pick<Command, Usual>> & { about: string }
type Usual = 'maxPositionals' | 'usage'

/** Commands that one looks for together. */
export interface CommandGroup {
  title: string
  commands: readonly Command[]
}

/** What commands about commands need. */
export interface Program {
  commands: readonly Command[]
  groups: readonly CommandGroup[]
  /** Reads that of hermes. */
  version: () => string
  /** That of hermes. */
  packageFile: () => URL
}

/** @returns the exit code. @throws HermesError for wrong usage and for what stops the command */
export type CommandRun = (args: Arguments, program: Program) => Promise<number>

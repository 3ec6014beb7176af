import type { NamedFlag } from '../../../0-text/src/index.js'

/** A flag of a command. */
export interface Flag extends NamedFlag {
  /** The values there are, for completion; what takes them checks them. */
  choices?: readonly string[]
  help: string
  repeatable?: boolean
}

/** What there is to say of a command. */
export interface CommandText {
  name: string
  /** One line for `hermes --help`. */
  summary: string
  /** Lines after `hermes`, e.g. `apply [FILE|-] [options]`. */
  usage: readonly string[]
  /** What there is to know beyond the flags. */
  about: readonly string[]
  flags: readonly Flag[]
  example: { line: string; does: string }
  /** Exit codes and their meaning. */
  exits: readonly (readonly [code: number, meaning: string])[]
}

import type { ParameterDefinitions } from '../../1-registry/src/index.js'

/** A compiled pattern; matches anywhere in a text, in linear time. */
export interface Pattern {
  isFoundIn(text: string): boolean
  /** @param replacement literal text, without group references */
  replaceAll(text: string, replacement: string): string
}

/** How to compare a recorded text of another harness with the result of a verb. */
export interface ResultRule {
  /** The verb's result as text; `undefined` where texts cannot be compared. */
  textOf(data: unknown): string | undefined
  /** Extracts the actual result from a recorded text. */
  unwrap(recorded: string): string
  /** Whether a recorded text reports a failure; `undefined` where unknown. */
  failed(recorded: string): boolean | undefined
  /**
   * Whether exit code 1 of this command is a result (nothing found, files differ) that the harness does not treat as a
   * failure.
   */
  answersByCode(command: string): boolean
}

/** A volatile part of results, and its replacement. */
export interface NormalizeRule {
  pattern: Pattern
  /** The pattern as written in a file. */
  written: string
  with: string
  /** Where to apply it: only output of programs and messages, or all texts of a result. */
  in: 'output' | 'all'
}

/** What mapping needs to know of the workspace. */
export interface MappingPlace {
  /** Makes a path absolute. */
  absolute(path: string): string
  /** Whether a path is the default directory of calls. */
  isRoot(path: string): boolean
  isDirectory(path: string): boolean
  /** Whether a file's last line has no line break. */
  isUnfinished(path: string): boolean
}

/** The parameters of a verb; `undefined` where there is no such verb. */
export type KnownParameters = (verb: string) => Promise<ParameterDefinitions | undefined>

import type { ParameterDefinitions } from '../../1-registry/src/index.js'

/** A compiled pattern: found anywhere in a text, in time linear in its length. */
export interface Pattern {
  isFoundIn(text: string): boolean
  /** @param replacement as it is: no groups are put in */
  replaceAll(text: string, replacement: string): string
}

/** How a recorded text of another harness and the result of a verb are held against each other. */
export interface ResultRule {
  /** What the verb's result is as a text; `undefined` where texts cannot be compared. */
  textOf(data: unknown): string | undefined
  /** The part of a recorded text that is the result itself. */
  unwrap(recorded: string): string
  /** Whether a recorded text tells a failure; `undefined` where that cannot be known. */
  failed(recorded: string): boolean | undefined
  /**
   * Whether exit code 1 of this command is an answer (nothing found,
   * they differ) that the harness takes for no failure.
   */
  answersByCode(command: string): boolean
}

/** A volatile part of results, and what stands for it. */
export interface NormalizeRule {
  pattern: Pattern
  /** The pattern as it stands in a file. */
  written: string
  with: string
  /** Only in what programs printed and in messages, or in all texts of a result. */
  in: 'output' | 'all'
}

/** What mapping a call needs to know of the workspace. */
export interface MappingPlace {
  /** The absolute form of a path as written. */
  absolute(path: string): string
  /** The directory that a call works in where it says none. */
  isRoot(path: string): boolean
  isDirectory(path: string): boolean
  /** A file whose last line has no line break at its end. */
  isUnfinished(path: string): boolean
}

/** The parameters of a verb, or `undefined` where there is no such verb. */
export type KnownParameters = (verb: string) => Promise<ParameterDefinitions | undefined>

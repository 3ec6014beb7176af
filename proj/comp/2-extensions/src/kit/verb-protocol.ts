/**
 * Verbs of extensions: their description in `initialize`, how hermes calls one, and the requests by which it accesses
 * files. See docs/extensions.md.
 */

/** A verb in `capabilities.verbs` of `initialize`. */
export interface VerbDescription {
  /** Name in the user's config and for models. */
  name: string
  /** Purpose, for a model; cut off at 1,000 characters. */
  description: string
  /** JSON Schema of its arguments, an object. Default: no arguments. */
  arguments?: Readonly<Record<string, unknown>> | undefined
  /** JSON Schema of its result. Default: any JSON. */
  result?: Readonly<Record<string, unknown>> | undefined
  /**
   * `read`, `write` or `exec`; anything else counts as `exec`. Default `exec`. Only `write` and `exec` may change files
   * by `fs/…`.
   */
  access?: string | undefined
  /** Semver. Default 1.0.0. */
  version?: string | undefined
  /** The argument that represents the call in one-line reports. */
  primary?: string | undefined
  /** Valid arguments, for the prompt. */
  examples?: Readonly<Record<string, unknown>>[] | undefined
  /** If not met, the verb is listed with the reason, and not offered. */
  requires?: VerbRequirements | undefined
}

/** What a verb needs of the machine. */
export interface VerbRequirements {
  /** Environment variables that must be set. */
  env?: string[] | undefined
  /** Variables that hold keys, in the extension's environment. */
  keys?: string[] | undefined
  /** Programs that must be in PATH. */
  programs?: string[] | undefined
  /** MCP servers that the user's config must name and not disable. */
  servers?: string[] | undefined
}

/** Params of the request `verb/execute`, which is answered with the verb's result. */
export interface VerbExecuteParams {
  verb: string
  /** Validated by its schema. */
  arguments: Record<string, unknown>
  /** For `fs/…` requests. */
  executionId: number
  /** Nothing on disk may change: writes by `fs/…` are kept in memory. */
  dryRun: boolean
}

/**
 * File requests during a verb call: `fs/readFile` is the verb `fs.readFile`, with the same arguments, result and
 * failures, plus `executionId`. They pass the path gate, policy and journal of the run.
 */
export const FILE_METHODS = [
  'fs/exists', 'fs/readFile', 'fs/readRange', 'fs/lineCount', 'fs/listDir', 'fs/writeFile', 'fs/writeRange',
  'fs/deleteFile', 'fs/moveFile', 'fs/copyFile', 'fs/createDirectory', 'fs/deleteDirectory',
] as const

export type FileMethod = typeof FILE_METHODS[number]

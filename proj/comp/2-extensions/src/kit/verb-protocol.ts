/**
 * Verbs that extensions bring: what `initialize` tells of them, how hermes calls one, and the requests by which it
 * reaches files. docs/extensions.md describes them.
 */

/** What a verb can do to the machine; what is none of these counts as `exec`. */
export type VerbAccess = 'read' | 'write' | 'exec'

/** A verb, as `capabilities.verbs` of `initialize` has it. */
export interface VerbDescription {
  /** As the user's config names it, and models call it. */
  name: string
  /** What it does, for a model; of 1,000 characters or more the rest is left out. */
  description: string
  /** JSON Schema of its arguments, an object. Default: it takes none. */
  arguments?: Readonly<Record<string, unknown>> | undefined
  /** JSON Schema of its result. Default: any JSON. */
  result?: Readonly<Record<string, unknown>> | undefined
  /** Default `exec`. Only `write` and `exec` may change files by `fs/…`. */
  access?: string | undefined
  /** semver. Default 1.0.0. */
  version?: string | undefined
  /** The argument that stands for the call in one-line reports. */
  primary?: string | undefined
  /** Arguments that fit the schema, for the prompt. */
  examples?: Readonly<Record<string, unknown>>[] | undefined
  /** Where it is not met the verb is listed with the reason, and not offered. */
  requires?: VerbRequirements | undefined
}

/** What a verb needs of the machine. */
export interface VerbRequirements {
  /** Variables of the environment that have to be set. */
  env?: string[] | undefined
  /** Variables that hold keys: of the extension's environment, as `env`. */
  keys?: string[] | undefined
  /** Programs in PATH. */
  programs?: string[] | undefined
  /** MCP servers that the user's config has to name, and not to switch off. */
  servers?: string[] | undefined
}

/** Of the request `verb/execute`, which is answered with the result of the verb. */
export interface VerbExecuteParams {
  verb: string
  /** Checked against its schema. */
  arguments: Record<string, unknown>
  /** For `fs/…` requests. */
  executionId: number
  /** Nothing may change: what is written by `fs/…` is kept in memory. */
  dryRun: boolean
}

/**
 * Requests about files, while a verb is carried out: `fs/readFile` is the verb `fs.readFile`, with its arguments, its
 * result and its failures, and `executionId` besides. They pass the path gate, the policy and the journal of the run.
 */
export const FILE_METHODS = [
  'fs/exists', 'fs/readFile', 'fs/readRange', 'fs/lineCount', 'fs/listDir', 'fs/writeFile', 'fs/writeRange',
  'fs/deleteFile', 'fs/moveFile', 'fs/copyFile', 'fs/createDirectory', 'fs/deleteDirectory',
] as const

export type FileMethod = typeof FILE_METHODS[number]

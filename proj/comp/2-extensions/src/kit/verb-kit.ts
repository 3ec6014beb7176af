import type { FileMethod, VerbDescription, VerbExecuteParams } from './verb-protocol.js'
import type { Ui } from './clients.js'
import { RequestError } from './request-error.js'

/**
 * The files of the run, for one call of a verb: each passes the path gate, the policy and the journal of the run, so
 * that it can be refused, shown in a dry run, and undone. Paths are absolute or relative to the root; texts are UTF-8.
 * All reject with `RequestError`, whose `data` has `code` (`POLICY_DENIED`, `ENOENT`, …) and `hint`.
 */
export interface RunFiles {
  exists(path: string): Promise<boolean>
  /** A text, whole and exactly as it is. */
  readFile(path: string): Promise<string>
  /** Lines, 1-based, both included, with their breaks. */
  readRange(path: string, startLine: number, endLine: number): Promise<string>
  lineCount(path: string): Promise<number>
  listDir(path: string): Promise<DirectoryEntry[]>
  /** Makes missing parent directories; replaces what is there, atomically. */
  writeFile(path: string, content: string): Promise<void>
  /** Replaces lines, 1-based, both included; without `endLine` it inserts before `startLine`. */
  writeRange(path: string, content: string, lines: { startLine: number; endLine?: number }): Promise<void>
  deleteFile(path: string): Promise<void>
  moveFile(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>
  copyFile(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>
  createDirectory(path: string): Promise<void>
  /** An empty one. */
  deleteDirectory(path: string): Promise<void>
}

export interface DirectoryEntry {
  name: string
  isDirectory: boolean
}

/** What a verb gets besides its arguments. */
export interface VerbCallContext {
  files: RunFiles
  ui: Ui
  /** The directory hermes works in, absolute. */
  root: string
  /** Nothing may change: `files` keeps what is written in memory. */
  dryRun: boolean
  /** Aborted when the call is cancelled or takes too long, and when hermes ends. */
  signal: AbortSignal
}

/** A verb that models call, where the user's config names it below `verbs:`. */
export interface VerbOfExtension extends Omit<VerbDescription, 'name'> {
  /**
   * @param args checked against the schema `arguments`
   * @returns the result, any JSON; what it throws is the failure that the model is told: of an error the message, with
   *   `code` and `hint` where it has them
   */
  execute: (args: never, context: VerbCallContext) => unknown
}

/** Sends one of the requests about files. */
export type AskFiles = (method: FileMethod, params: object) => Promise<unknown>

/** The files of a call. */
export function filesOf(executionId: number, send: AskFiles): RunFiles {
  const ask = async <Result>(method: FileMethod, params: object): Promise<Result> => (
    await send(method, { executionId, ...params }) as Result
  )
  return {
    exists: async path => (await ask<{ exists: boolean }>('fs/exists', { path })).exists,
    readFile: async path => (await ask<{ content: string }>('fs/readFile', { path })).content,
    readRange: async (path, startLine, endLine) => (
      (await ask<{ content: string }>('fs/readRange', { path, startLine, endLine, includeLineNumbers: false })).content
    ),
    lineCount: async path => (await ask<{ lineCount: number }>('fs/lineCount', { path })).lineCount,
    listDir: async path => (await ask<{ entries: DirectoryEntry[] }>('fs/listDir', { path })).entries,
    writeFile: async (path, content) => void await ask('fs/writeFile', { path, content }),
    writeRange: async (path, content, lines) => void await ask('fs/writeRange', { path, content, ...lines }),
    deleteFile: async path => void await ask('fs/deleteFile', { path }),
    moveFile: async (sourcePath, destinationPath, options) => (
      void await ask('fs/moveFile', { sourcePath, destinationPath, ...options })
    ),
    copyFile: async (sourcePath, destinationPath, options) => (
      void await ask('fs/copyFile', { sourcePath, destinationPath, ...options })
    ),
    createDirectory: async path => void await ask('fs/createDirectory', { path }),
    deleteDirectory: async path => void await ask('fs/deleteDirectory', { path }),
  }
}

/** The verbs of a definition, as `initialize` tells them. */
export function describeVerbs(verbs: Readonly<Record<string, VerbOfExtension>>): VerbDescription[] {
  // A function has no form in JSON.
  return Object.entries(verbs).map(([name, verb]) => ({ name, ...verb, execute: undefined }))
}

/** Carries out a call. @throws RequestError what the model is told of its failure */
export async function carryOut(
  verbs: Readonly<Record<string, VerbOfExtension>>, { verb, arguments: args }: VerbExecuteParams,
  context: VerbCallContext,
): Promise<unknown> {
  const found = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (!found) throw new RequestError(FAILED, `Unknown verb: ${verb}`, {})
  try {
    return await found.execute(args as never, context) ?? {}
  } catch (error) {
    if (error instanceof RequestError) throw new RequestError(FAILED, error.message, error.data)
    const { code, hint } = error as { code?: unknown; hint?: unknown }
    throw new RequestError(FAILED, error instanceof Error ? error.message : String(error), {
      ...(typeof code === 'string' && { code }), ...(typeof hint === 'string' && { hint }),
    })
  }
}

/** Of the codes that are an extension's own. */
const FAILED = -32050

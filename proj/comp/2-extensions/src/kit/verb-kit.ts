import type { FileMethod, VerbDescription, VerbExecuteParams } from './verb-protocol.js'
import type { Ui } from './clients.js'
import { RequestError } from './request-error.js'

/**
 * File access within the run, for one call of a verb. Each operation passes the path gate, policy and journal of the
 * run, so it can be refused, shown in a dry run, and undone. Paths are absolute or relative to the root; texts are
 * UTF-8. All methods reject with `RequestError`, whose `data` has `code` (`POLICY_DENIED`, `ENOENT`, …) and `hint`.
 */
export interface RunFiles {
  exists(path: string): Promise<boolean>
  /** The whole text, unchanged. */
  readFile(path: string): Promise<string>
  /** Lines with their line breaks; 1-based, inclusive. */
  readRange(path: string, startLine: number, endLine: number): Promise<string>
  lineCount(path: string): Promise<number>
  listDir(path: string): Promise<DirectoryEntry[]>
  /** Creates missing parent directories; replaces an existing file atomically. */
  writeFile(path: string, content: string): Promise<void>
  /** Replaces lines (1-based, inclusive); without `endLine` inserts before `startLine`. */
  writeRange(path: string, content: string, lines: { startLine: number; endLine?: number }): Promise<void>
  deleteFile(path: string): Promise<void>
  moveFile(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>
  copyFile(from: string, to: string, options?: { overwrite?: boolean }): Promise<void>
  createDirectory(path: string): Promise<void>
  /** Deletes an empty directory. */
  deleteDirectory(path: string): Promise<void>
}

export interface DirectoryEntry {
  name: string
  isDirectory: boolean
}

/** Context of a verb call. */
export interface VerbCallContext {
  files: RunFiles
  ui: Ui
  /** Working directory of hermes, absolute. */
  root: string
  /** Nothing on disk may change: `files` keeps writes in memory. */
  dryRun: boolean
  /** Aborted when the call is cancelled or takes too long, and when hermes exits. */
  signal: AbortSignal
}

/** A verb for models to call, if the user's config names it in `verbs:`. */
export interface VerbOfExtension extends Omit<VerbDescription, 'name'> {
  /**
   * @param args validated by the schema `arguments`
   * @returns the result, any JSON; what it throws is reported to the model: an error's message, with its `code` and
   *   `hint` if present
   */
  execute: (args: never, context: VerbCallContext) => unknown
}

/** Sends one of the file requests. */
export type AskFiles = (method: FileMethod, params: object) => Promise<unknown>

/** The file access for a call. */
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

/** Descriptions of the verbs for `initialize`. */
export function describeVerbs(verbs: Readonly<Record<string, VerbOfExtension>>): VerbDescription[] {
  // Functions have no JSON form.
  return Object.entries(verbs).map(([name, verb]) => ({ name, ...verb, execute: undefined }))
}

/**
 * Carries out a call.
 *
 * @throws RequestError with the failure for the model
 */
export async function carryOut(
  verbs: Readonly<Record<string, VerbOfExtension>>, { verb, arguments: args }: VerbExecuteParams,
  context: VerbCallContext,
): Promise<unknown> {
  const held = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  if (!held) throw new RequestError(FAILED, `Unknown verb: ${verb}`, {})
  try {
    return await held.execute(args as never, context) ?? {}
  } catch (error) {
    if (error instanceof RequestError) throw new RequestError(FAILED, error.message, error.data)
    const { code, hint } = error as { code?: unknown; hint?: unknown }
    throw new RequestError(FAILED, error instanceof Error ? error.message : String(error), {
      ...(typeof code === 'string' && { code }), ...(typeof hint === 'string' && { hint }),
    })
  }
}

/** Error code for failures of verbs, in the range for extensions. */
const FAILED = -32050

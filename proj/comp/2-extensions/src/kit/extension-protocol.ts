/**
 * The methods between hermes and its extensions (seed 001), with their params and results as docs/extensions.md
 * describes them. Names and shapes are those of the public Hermes extension API, fitted to answers of models.
 */

import type { VerbDescription } from './verb-protocol.js'

/** What `initialize` names; the first number changes when extensions have to. */
export const API_VERSION = '1.0'

/** Error codes of the eleven requests, besides those of JSON-RPC. */
export const EXTENSION_ERRORS = {
  /** There is no message: the extension was started without one. */
  noMessage: -32003,
  invalidMessage: -32004,
  invalidPath: -32005,
  /** No such block, or no such parameter of it. */
  pathNotFound: -32006,
  invalidUrl: -32007,
  /** The window could not be opened, the user did not want it, or there is none of that id. */
  windowError: -32008,
  /** There is no user to ask, or the dialogue could not be shown. */
  dialogueError: -32012,
} as const

export interface InitializeParams {
  apiVersion: string
  /** The directory hermes works in, absolute; also the working directory of the extension. */
  root: string
}

/** Everything may be left out. */
export interface InitializeResult {
  name?: string | undefined
  version?: string | undefined
  description?: string | undefined
  capabilities?: {
    /** What `command/execute` may name; other commands are refused. Without it all are sent. */
    commands?: string[] | undefined
    /** It says by `command/finished` when a command is done. */
    commandFinished?: boolean | undefined
    /** What it brings for models to call, where the user's config names them. */
    verbs?: VerbDescription[] | undefined
  } | undefined
}

export interface ShutdownParams {
  reason: 'closing' | 'interrupted' | 'error'
}

export interface CommandExecuteParams {
  command: string
  /** For `command/finished`. */
  executionId: number
}

/** Of the notification `command/finished`, which hermes understands besides seed 001's methods. */
export interface CommandFinishedParams {
  executionId: number
  /** Default true. */
  success?: boolean | undefined
  /** One line for the user. */
  message?: string | undefined
}

export interface GetMessageParams {
  /** `text`: as the model wrote it. `json`: its blocks, as `hermes parse --json` prints them. Default `text`. */
  format?: 'text' | 'json' | undefined
}

export interface GetMessageResult {
  /** Empty where there is none. */
  message: string
  hasFile: boolean
  /** Absolute. */
  filePath?: string | undefined
  /** Grows with each change. */
  revision: number
}

export interface Patch {
  /** `BLOCK.PARAMETER` or `BLOCK`, by its id; of blocks with the same id `BLOCK[2]` is the second. */
  path: string
  /** What the parameter is to be; any JSON. */
  value?: unknown
  /** Takes the parameter, or the whole block, out. */
  remove?: boolean | undefined
}

export interface PatchMessageParams {
  patches: Patch[]
  /** Nothing is done where the message has another revision by now. */
  revision?: number | undefined
}

export interface PatchError {
  /** Of the patch, from 0. */
  index: number
  path: string
  /** One of `EXTENSION_ERRORS`. */
  code: number
  message: string
}

/** Patches that can be applied are, also where others cannot. */
export interface PatchMessageResult {
  success: boolean
  patchesApplied: number
  errors?: PatchError[] | undefined
  revision: number
}

export interface SetMessageParams {
  message: string
  format?: 'text' | undefined
  /** Nothing is done where the message has another revision by now. */
  revision?: number | undefined
}

export interface SetMessageResult {
  success: true
  revision: number
  /** Blocks of the new message that can be read. */
  blocks: number
  /** Parts of it that look like blocks and cannot be read. */
  parseErrors: number
}

/** One of `url` and `html`. */
export interface OpenWindowParams {
  /** `http:`, `https:`, or `file:` for a file in the root. */
  url?: string | undefined
  /** A page of its own, without access to others. */
  html?: string | undefined
  title?: string | undefined
}

export interface OpenWindowResult {
  windowId: string
}

/** Of the notification `ui/windowMessage`: what a page of `html` posted. */
export interface WindowMessageParams {
  windowId: string
  /** Any JSON. */
  data: unknown
}

export interface CloseWindowParams {
  windowId: string
}

export interface CloseWindowResult {
  /** False where the browser keeps the page open: only clients with windows of their own can close them. */
  success: boolean
}

export interface ShowMessageParams {
  message: string
  title?: string | undefined
  kind?: 'info' | 'warning' | 'error' | undefined
}

export interface ShowMessageResult {
  acknowledged: true
}

export interface ShowConfirmParams {
  message: string
  title?: string | undefined
  buttons?: 'yesNo' | 'okCancel' | undefined
}

export interface ShowConfirmResult {
  confirmed: boolean
}

export interface FileFilter {
  name: string
  /** Without dots; `*` is any. */
  extensions: string[]
}

export interface OpenFileParams {
  title?: string | undefined
  /** Where to begin; default: the root. */
  defaultPath?: string | undefined
  filters?: FileFilter[] | undefined
}

export interface SaveFileParams extends OpenFileParams {
  defaultName?: string | undefined
}

export interface SelectDirectoryParams {
  title?: string | undefined
  defaultPath?: string | undefined
}

export interface PathResult {
  /** Absolute; `null` when the user cancelled. It opens nothing: what a run may touch stays what it was. */
  path: string | null
}

export interface PathsResult {
  paths: string[] | null
}

/** The eleven requests of extensions. */
export interface ExtensionRequests {
  'editor/getMessage': { params: GetMessageParams; result: GetMessageResult }
  'editor/patchMessage': { params: PatchMessageParams; result: PatchMessageResult }
  'editor/setMessage': { params: SetMessageParams; result: SetMessageResult }
  'ui/openWindow': { params: OpenWindowParams; result: OpenWindowResult }
  'ui/closeWindow': { params: CloseWindowParams; result: CloseWindowResult }
  'ui/showMessage': { params: ShowMessageParams; result: ShowMessageResult }
  'ui/showConfirm': { params: ShowConfirmParams; result: ShowConfirmResult }
  'ui/openFile': { params: OpenFileParams; result: PathResult }
  'ui/openFiles': { params: OpenFileParams; result: PathsResult }
  'ui/saveFile': { params: SaveFileParams; result: PathResult }
  'ui/selectDirectory': { params: SelectDirectoryParams; result: PathResult }
}

export type ExtensionMethod = keyof ExtensionRequests
export type UiMethod = Extract<ExtensionMethod, `ui/${string}`>

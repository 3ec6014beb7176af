/**
 * The methods between hermes and its extensions, with their params and results; described in docs/extensions.md. Names
 * and shapes follow the public Hermes extension API, adapted to answers of models.
 */

import type { VerbDescription } from './verb-protocol.js'

/** Version in `initialize`; the major number changes when extensions have to be adapted. */
export const API_VERSION = '1.0'

/** Error codes of extensions' requests, besides those of JSON-RPC. */
export const EXTENSION_ERRORS = {
  /** There is no message: the extension was started without one. */
  noMessage: -32003,
  invalidMessage: -32004,
  invalidPath: -32005,
  /** No such block, or it has no such parameter. */
  pathNotFound: -32006,
  invalidUrl: -32007,
  /** The window could not be opened, the user refused, or the id is unknown. */
  windowError: -32008,
  /** There is no user to ask, or the dialogue could not be shown. */
  dialogueError: -32012,
} as const

export interface InitializeParams {
  apiVersion: string
  /** Working directory of hermes and of the extension, absolute. */
  root: string
}

/** All fields are optional. */
export interface InitializeResult {
  name?: string | undefined
  version?: string | undefined
  description?: string | undefined
  capabilities?: {
    /** Commands that `command/execute` may name; others are refused. Absent: any command is sent. */
    commands?: string[] | undefined
    /** It sends `command/finished` when a command is done. */
    commandFinished?: boolean | undefined
    /** Verbs for models to call, as far as the user's config names them. */
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

/** Params of the notification `command/finished`, an addition of hermes to the public API. */
export interface CommandFinishedParams {
  executionId: number
  /** Default true. */
  success?: boolean | undefined
  /** One line for the user. */
  message?: string | undefined
}

export interface GetMessageParams {
  /** `text`: as the model wrote it. `json`: its blocks, as printed by `hermes parse --json`. Default `text`. */
  format?: 'text' | 'json' | undefined
}

/** The message in the editor, as `editor/getMessage` gives it. */
export interface GetMessageResult {
  /** Empty where there is none. */
  message: string
  hasFile: boolean
  /** Absolute. */
  filePath?: string | undefined
  /** Increases with each change. */
  revision: number
}

/** One change of a message, for `editor/patchMessage`. */
export interface Patch {
  /** `BLOCK.PARAMETER` or `BLOCK`, by block id; among blocks with the same id `BLOCK[2]` is the second. */
  path: string
  /** New value of the parameter; any JSON. */
  value?: unknown
  /** Remove the parameter, or the whole block. */
  remove?: boolean | undefined
}

export interface PatchMessageParams {
  patches: Patch[]
  /** Do nothing if the message has another revision by now. */
  revision?: number | undefined
}

/** Why a patch was not applied. */
export interface PatchError {
  /** 0-based index of the patch. */
  index: number
  path: string
  /** One of `EXTENSION_ERRORS`. */
  code: number
  message: string
}

/** Valid patches are applied even if others fail. */
export interface PatchMessageResult {
  success: boolean
  patchesApplied: number
  errors?: PatchError[] | undefined
  revision: number
}

export interface SetMessageParams {
  message: string
  format?: 'text' | undefined
  /** Do nothing if the message has another revision by now. */
  revision?: number | undefined
}

/** What `editor/setMessage` answers. */
export interface SetMessageResult {
  success: true
  revision: number
  /** Number of readable blocks in the new message. */
  blocks: number
  /** Number of parts that look like blocks but cannot be read. */
  parseErrors: number
}

/** Give either `url` or `html`. */
export interface OpenWindowParams {
  /** `http:`, `https:`, or `file:` for a file in the root. */
  url?: string | undefined
  /** A page isolated from others. */
  html?: string | undefined
  title?: string | undefined
}

/** Params of the notification `ui/windowMessage`: what a page of `html` posted. */
export interface WindowMessageParams {
  windowId: string
  /** Any JSON. */
  data: unknown
}

/** Parameters of `ui/showMessage`. */
export interface ShowMessageParams {
  message: string
  title?: string | undefined
  kind?: 'info' | 'warning' | 'error' | undefined
}

/** Parameters of `ui/showConfirm`. */
export interface ShowConfirmParams {
  message: string
  title?: string | undefined
  buttons?: 'yesNo' | 'okCancel' | undefined
}

/** Files that a dialogue offers, by the ends of their names. */
export interface FileFilter {
  name: string
  /** Without dots; `*` means any. */
  extensions: string[]
}

/** Parameters of `ui/openFile`. */
export interface OpenFileParams {
  title?: string | undefined
  /** Initial directory or file; default: the root. */
  defaultPath?: string | undefined
  filters?: FileFilter[] | undefined
}

/** Parameters of `ui/saveFile`. */
export interface SaveFileParams extends OpenFileParams {
  defaultName?: string | undefined
}

/** Parameters of `ui/selectDirectory`. */
export type SelectDirectoryParams = Pick<OpenFileParams, 'title' | 'defaultPath'>

export interface PathResult {
  /** Absolute; `null` when the user cancelled. Grants no access: what a run may touch stays the same. */
  path: string | null
}

/** Params and results of all requests of extensions. */
export interface ExtensionRequests {
  'editor/getMessage': { params: GetMessageParams; result: GetMessageResult }
  'editor/patchMessage': { params: PatchMessageParams; result: PatchMessageResult }
  'editor/setMessage': { params: SetMessageParams; result: SetMessageResult }
  'ui/openWindow': { params: OpenWindowParams; result: { windowId: string } }
  /** Not successful where the browser keeps the page open: only clients with windows of their own can close them. */
  'ui/closeWindow': { params: { windowId: string }; result: { success: boolean } }
  'ui/showMessage': { params: ShowMessageParams; result: { acknowledged: true } }
  'ui/showConfirm': { params: ShowConfirmParams; result: { confirmed: boolean } }
  'ui/openFile': { params: OpenFileParams; result: PathResult }
  'ui/openFiles': { params: OpenFileParams; result: { paths: string[] | null } }
  'ui/saveFile': { params: SaveFileParams; result: PathResult }
  'ui/selectDirectory': { params: SelectDirectoryParams; result: PathResult }
}

export type ExtensionMethod = keyof ExtensionRequests
/** Methods of dialogues with the user: `ui/showMessage` and the like. */
export type UiMethod = Extract<ExtensionMethod, `ui/${string}`>

export type { Editor, MessageBlock, MessageBlocks, Ui } from './clients.js'
export { defineExtension } from './define-extension.js'
export type { CommandContext, CommandHandler, ExtensionDefinition } from './define-extension.js'
export { API_VERSION, EXTENSION_ERRORS } from './extension-protocol.js'
export type {
  CommandExecuteParams, ExtensionMethod, ExtensionRequests, FileFilter, GetMessageParams, GetMessageResult,
  InitializeParams, InitializeResult, OpenFileParams, OpenWindowParams, Patch, PatchError, PatchMessageParams,
  PatchMessageResult, SaveFileParams, SelectDirectoryParams, SetMessageParams, SetMessageResult, ShowConfirmParams,
  ShowMessageParams, ShutdownParams, UiMethod, WindowMessageParams,
} from './extension-protocol.js'
export { RequestError } from './request-error.js'
export { FILE_METHODS } from './verb-protocol.js'
export type { FileMethod, VerbDescription, VerbExecuteParams, VerbRequirements } from './verb-protocol.js'
export type { DirectoryEntry, VerbCallContext, RunFiles, VerbOfExtension } from './verb-kit.js'

export { defineExtension, EXTENSION_ERRORS, FILE_METHODS, RequestError } from './kit/index.js'
export type {
  CommandContext, CommandHandler, DirectoryEntry, Editor, ExtensionDefinition, ExtensionRequests, FileFilter,
  FileMethod, GetMessageResult, MessageBlock, MessageBlocks, OpenFileParams, OpenWindowParams, Patch, PatchError,
  PatchMessageResult, RunFiles, SaveFileParams, SelectDirectoryParams, SetMessageResult, ShowConfirmParams,
  ShowMessageParams, Ui, UiMethod, VerbCallContext, VerbDescription, VerbOfExtension, VerbRequirements,
} from './kit/index.js'
export * from './host/index.js'
export { LANGUAGES, newExtension, type Language } from './template/index.js'
export { testExtension, type Finding } from './tester/index.js'

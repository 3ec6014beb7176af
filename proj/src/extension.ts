/** For authors of extensions: docs/extensions.md. */
export { defineExtension, EXTENSION_ERRORS, RequestError } from '../comp/2-extensions/src/index.js'
export type {
  CommandContext, CommandHandler, DirectoryEntry, Editor, ExtensionDefinition, FileFilter, GetMessageResult,
  MessageBlock, MessageBlocks, OpenFileParams, OpenWindowParams, Patch, PatchError, PatchMessageResult,
  RunFiles, SaveFileParams, SelectDirectoryParams, SetMessageResult, ShowConfirmParams, ShowMessageParams, Ui,
  VerbCallContext, VerbDescription, VerbOfExtension, VerbRequirements,
} from '../comp/2-extensions/src/index.js'

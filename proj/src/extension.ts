/** For authors of extensions: docs/extensions.md. */
export { defineExtension, EXTENSION_ERRORS, RequestError } from '../comp/2-extensions/src/index.js'
export type {
  CommandContext, CommandHandler, Editor, ExtensionDefinition, FileFilter, GetMessageResult, MessageBlock,
  MessageBlocks, OpenFileParams, OpenWindowParams, Patch, PatchError, PatchMessageResult, SaveFileParams,
  SelectDirectoryParams, SetMessageResult, ShowConfirmParams, ShowMessageParams, Ui,
} from '../comp/2-extensions/src/index.js'

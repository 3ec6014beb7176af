export { defineExtension, EXTENSION_ERRORS, RequestError } from './kit/index.js'
export type {
  CommandContext, CommandHandler, Editor, ExtensionDefinition, FileFilter, GetMessageResult, MessageBlock,
  MessageBlocks, OpenFileParams, OpenWindowParams, Patch, PatchError, PatchMessageResult, SaveFileParams,
  SelectDirectoryParams, SetMessageResult, ShowConfirmParams, ShowMessageParams, Ui,
} from './kit/index.js'
export {
  configuredExtension, describeExtension, dialogueMethods, extensionDocument, extensionProtocol, extensionUi,
  forwardedUi, hostOptions, LivingExtensions, Message, noUi, withExtension,
} from './host/index.js'
export type { CommandOutcome, ExtensionUi, PreparedAnswer } from './host/index.js'
export { LANGUAGES, newExtension } from './template/index.js'
export type { Language } from './template/index.js'
export { testExtension } from './tester/index.js'
export type { Finding } from './tester/index.js'

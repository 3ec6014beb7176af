/** For programs that run answers themselves, and apply extensions to them first: docs/extensions.md. */
export { HermesError, type ErrorCode, type ExtensionSetting, type Rewrite } from '../comp/0-contracts/src/index.js'
export {
  dialogueUi, Extensions, type DialogueHandlers, type ExtensionRequests, type ExtensionsOptions, type ExtensionUi,
  type PreparedAnswer, type RewriteOptions, type UiContext, type UiMethod,
} from '../comp/2-extensions/src/index.js'

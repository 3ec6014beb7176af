/** For programs that run answers themselves, and apply extensions to them first: docs/extensions.md. */
export { HermesError } from '../comp/0-contracts/src/index.js'
export type { ErrorCode, ExtensionSetting, Rewrite } from '../comp/0-contracts/src/index.js'
export { dialogueUi, Extensions } from '../comp/2-extensions/src/index.js'
export type {
  DialogueHandlers, ExtensionRequests, ExtensionsOptions, ExtensionUi, PreparedAnswer, RewriteOptions, UiContext,
  UiMethod,
} from '../comp/2-extensions/src/index.js'

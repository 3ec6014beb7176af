/** Hermes' verbs as tools of the AI SDK. The package `ai` is not needed, not even for types. */
export { aiSdkTools } from '../comp/6-agent/src/index.js'
export type {
  AiSdkTool, CallOptions, InputSchema, JsonValue, OfferOptions, ToolAnswer,
} from '../comp/6-agent/src/index.js'

/** Hermes' verbs as tools of the AI SDK. The package `ai` is not needed, not even for types. */
export {
  aiSdkTools, type AiSdkTool, type CallOptions, type InputSchema, type JsonValue, type OfferOptions, type ToolAnswer,
} from '../comp/6-agent/src/index.js'

/**
 * Hermes' verbs as tools of OpenAI's chat completions and Responses. No package of OpenAI's is needed, not even for
 * types.
 */
export { chatTools, responsesTools, runChatCalls, runResponsesCalls } from '../comp/6-agent/src/index.js'
export type {
  CallOptions, ChatChoice, ChatToolCall, ChatToolMessage, CustomToolCallOutput, FunctionCallOutput, OfferOptions,
  ResponseLike, ResponsesTool, ToolAnswer,
} from '../comp/6-agent/src/index.js'
export type { OpenAiTool } from '../comp/1-registry/src/index.js'

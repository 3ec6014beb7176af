export * from './agent/index.js'
export {
  aiSdkTools, anthropicTools, chatTools, responsesTools, runChatCalls, runResponsesCalls, runToolUses, type AiSdkTool,
  type AnthropicMessage, type CallOptions, type ChatChoice, type ChatToolCall, type ChatToolMessage,
  type CustomToolCallOutput, type FunctionCallOutput, type InputSchema, type JsonValue, type OfferOptions,
  type ResponseLike, type ResponsesTool, type ToolAnswer, type ToolResultBlock, type ToolResultMessage,
} from './adapters/index.js'

export {
  Agent, agentOptions, imageType, isKeyRefusal, namedImages, namesImages, newTaskId, onTaskEnd, openSessionStore,
  priceOf, pruneSessions, saidByUser, type AgentEvent, type AgentOptions, type AgentTool, type AssistantMessage,
  type BlocksFormat, type ChatOptions, type DelegateBounds, type EndReason, type ImageInput, type Message,
  type MessageCall, type RecordedCall, type Session, type SessionInfo, type SessionMeta, type SessionRecord,
  type SessionStore, type SessionStoreOptions, type TaskCleanup, type TaskState, type TokenCount, type TokenPrice,
} from './agent/index.js'
export {
  aiSdkTools, anthropicTools, chatTools, responsesTools, runChatCalls, runResponsesCalls, runToolUses, type AiSdkTool,
  type AnthropicMessage, type CallOptions, type ChatChoice, type ChatToolCall, type ChatToolMessage,
  type CustomToolCallOutput, type FunctionCallOutput, type InputSchema, type JsonValue, type OfferOptions,
  type ResponseLike, type ResponsesTool, type ToolAnswer, type ToolResultBlock, type ToolResultMessage,
} from './adapters/index.js'

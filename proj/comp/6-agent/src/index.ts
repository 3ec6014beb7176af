export {
  Agent, agentOptions, imageType, isKeyRefusal, namedImages, namesImages, newTaskId, onTaskEnd, openSessionStore,
  priceOf, pruneSessions, saidByUser,
} from './agent/index.js'
export type {
  AgentEvent, AgentOptions, AgentTool, AssistantMessage, BlocksFormat, ChatOptions, DelegateBounds, EndReason,
  ImageInput, Message, MessageCall, RecordedCall, Session, SessionInfo, SessionMeta, SessionRecord, SessionStore,
  SessionStoreOptions, TaskCleanup, TaskState, TokenCount, TokenPrice,
} from './agent/index.js'
export {
  aiSdkTools, anthropicTools, chatTools, responsesTools, runChatCalls, runResponsesCalls, runToolUses,
} from './adapters/index.js'
export type {
  AiSdkTool, AnthropicMessage, CallOptions, ChatChoice, ChatToolCall, ChatToolMessage, CustomToolCallOutput,
  FunctionCallOutput, InputSchema, JsonValue, OfferOptions, ResponseLike, ResponsesTool, ToolAnswer, ToolResultBlock,
  ToolResultMessage,
} from './adapters/index.js'

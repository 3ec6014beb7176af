/** The agent: the loop of model and verbs (docs/agent.md). Needs no package of OpenAI's. */
export { Agent, onTaskEnd, openSessionStore } from '../comp/6-agent/src/index.js'
export type {
  AgentEvent, AgentOptions, AgentTool, AssistantMessage, BlocksFormat, ChatOptions, EndReason, ImageInput, Message,
  MessageCall, RecordedCall, Session, SessionInfo, SessionMeta, SessionRecord, SessionStore, SessionStoreOptions,
  TaskCleanup, TaskState, TokenCount, TokenPrice,
} from '../comp/6-agent/src/index.js'

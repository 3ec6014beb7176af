/** The agent harness: the loop around the actuator (docs/agent.md). Needs no package of OpenAI. */
export { Agent, onTaskEnd, openSessionStore } from '../comp/6-agent/src/index.js'
export type {
  AgentEvent, AgentOptions, AgentTool, AssistantMessage, BlocksFormat, ChatOptions, EndReason, Message, MessageCall,
  RecordedCall, Session, SessionInfo, SessionMeta, SessionRecord, SessionStore, SessionStoreOptions, TaskCleanup,
  TaskState, TokenCount, TokenPrice,
} from '../comp/6-agent/src/index.js'

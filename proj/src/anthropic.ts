/** Hermes' verbs as tools of Anthropic's messages. No package of Anthropic's is needed, not even for types. */
export { anthropicTools, runToolUses } from '../comp/6-agent/src/index.js'
export type {
  AnthropicMessage as AssistantMessage, CallOptions, OfferOptions, ToolAnswer, ToolResultBlock, ToolResultMessage,
} from '../comp/6-agent/src/index.js'
export type { AnthropicTool } from '../comp/1-registry/src/index.js'

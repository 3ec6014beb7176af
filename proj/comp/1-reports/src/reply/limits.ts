/** Tokens of a whole reply, where nothing else is asked for. Contract section 3, 'what a model gets back'. */
export const DEFAULT_REPLY_TOKENS = 8000

/** Fewer have no room for one failure with its hint. */
export const LEAST_REPLY_TOKENS = 500

/** Tokens of what one call gives a model: through MCP, the adapters of SDKs, and the agent. */
export const DEFAULT_CALL_TOKENS = 10_000

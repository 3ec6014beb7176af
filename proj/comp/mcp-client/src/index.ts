export { McpVerbs, type ListedTools, type McpVerbsOptions } from './mcp-verbs.js'

export { McpVerbs, type ListedTools, type McpVerbsOptions } from './mcp-verbs.js'
export { configuredTool, configuredTools } from './configured-tools.js'

/** The public surface of hermes on Node. Contract section 5; `hermes/core` is its pure part. */
export {
  absolutePath, defineVerb, EXECUTION_CODES, HermesError, integer, NESL_CODES, NODE_CODES, SCANNER_CODES, text,
} from '../comp/contracts/src/index.js'
export type {
  AccessClass, Accessibility, ActionResult, AnyVerb, ApprovedPath, BlockFormat, ContextItem, DirectoryEntry, ErrorCode,
  ExecutionResult, FileChange, FileStat, FileStore, HermesEvent, HermesOptions, Limits, ParsedBlock, ParseError, ParseOutcome,
  PathAccess, PathGate, SessionState, SkippedBlock, VerbContext, VerbDefinition, Vocabulary, WriteOutcome,
} from '../comp/contracts/src/index.js'
export { DEFAULT_LIMITS, execute, Hermes, VerbExecutor } from '../comp/executor/src/index.js'
export type { ExecutorOptions } from '../comp/executor/src/index.js'
export { parse } from '../comp/parsers/src/index.js'
export {
  anthropicTool, argsJsonSchema, mcpTool, openAiTool, parameterDefinitions, renderIdl, resultJsonSchema, toolName,
  TOOLSET_NAMES, toVerbResult, VerbRegistry,
} from '../comp/registry/src/index.js'
export type {
  AnthropicTool, JsonSchema, LazyVerb, McpTool, OpenAiTool, ParameterDefinition, ParameterDefinitions, ParameterType,
} from '../comp/registry/src/index.js'
export { renderFeedback } from '../comp/reports/src/index.js'
export { VERBS } from '../comp/verbs/src/index.js'

/** The public surface of hermes on Node. Contract section 5; `hermes/core` is its pure part. */
export {
  absolutePath, boundedText, defineVerb, EXECUTION_CODES, flag, HermesError, integer, integerBetween, NESL_CODES,
  NODE_CODES, notArray, path, SCANNER_CODES, text, textMap, texts, toolPath,
} from '../comp/0-contracts/src/index.js'
export type {
  AccessClass, Accessibility, ActionResult, AnyVerb, ApprovalAnswer, ApprovalKind, ApprovalReason, ApprovalReply,
  ApprovalRequest, ApprovalVariable, ApprovedPath, BlockFormat,
  CodePointsAction, ConfirmationRequest, Consent, ContextItem, DirectoryEntry, EditFormat, ErrorCode, ExecutionResult,
  FileChange, FileStat, FileStore, Fix, HermesEvent, HermesOptions, HookMoment, HookOptions, HookResult, Limits,
  ModelResponse, OmittedCounts, ParsedBlock, ParseError, ParseOutcome, PathAccess, PathGate, Permission, Policy,
  PolicyClass, PolicyLimits, PolicyOptions, ResponseFormat, ResponsePart, Ruling, SandboxMode, SessionState,
  SkippedBlock, StreamOptions, UnreadPart, UserInterface, UserQuestion, VerbContext, VerbDefinition, Vocabulary,
  WriteOutcome,
} from '../comp/0-contracts/src/index.js'
export { DEFAULT_LIMITS, execute, Hermes, VerbExecutor, VERBS } from '../comp/5-executor/src/index.js'
export type {
  ExecutorOptions, FunctionCall, ReadableText, RunResult, TextChunk, TextSource,
} from '../comp/5-executor/src/index.js'
export { parse } from '../comp/1-reading/src/index.js'
export { readResponse } from '../comp/2-transcripts/src/index.js'
export {
  anthropicTool, argsJsonSchema, mcpTool, openAiTool, parameterDefinitions, renderIdl, resultJsonSchema, toolName,
  TOOLSET_NAMES, toVerbResult, VerbRegistry,
} from '../comp/1-registry/src/index.js'
export type {
  AnthropicTool, JsonSchema, LazyVerb, McpTool, OpenAiTool, ParameterDefinition, ParameterDefinitions, ParameterType,
} from '../comp/1-registry/src/index.js'
export { createSeenContents, renderFeedback, renderReply, tokensAtMost } from '../comp/1-reports/src/index.js'
export type { ReplyOptions, SeenContents } from '../comp/1-reports/src/index.js'

/** The public surface of hermes on Node; `hermes/core` is its pure part. */
export {
  absolutePath, boundedText, defineVerb, EXECUTION_CODES, flag, HermesError, integer, integerBetween, NESL_CODES,
  NODE_CODES, notArray, path, SCANNER_CODES, text, textMap, texts, toolPath,
} from '../comp/0-contracts/src/index.js'
export type {
  AccessAnswer, AccessClass, Accessibility, ActionResult, AnyVerb, ApprovalAnswer, ApprovalKind, ApprovalQuestion,
  ApprovalReason, ApprovalReply, ApprovalRequest, ApprovalVariable, ApprovedPath, BlockFormat, BrokenFile, Checks,
  CodePointsAction, CommandSandbox, ConfirmationRequest, Consent, ContextItem, Delegates,
  DirectoryEntry, EditFormat, Elsewhere, ErrorCode, ExecutionCode, ExecutionResult, ExtensionSetting, FileChange,
  FilePart, FileStat, FileStore, Fix, HeldContent, HermesErrorDetails, HermesEvent, HermesOptions, HookMoment,
  HookOptions, HookResult, KeptResource, LanguageServer, LanguageServerOptions, Lenient, Limits, MappingName,
  McpServer, McpServerOptions, ModelResponse, NamedDialect, NeslCode, NewScheduledJob, OmittedCounts, OverwriteCheck,
  ParsedBlock, ParseError, ParseOutcome, PathAccess, PathGate, Permission, Policy, PolicyClass, PolicyLimits,
  PolicyOptions, PrintedLines, ReadFormat, RequiredKey, Requirements, ResponseFormat, ResponsePart,
  Rewrite, Ruling, SandboxAccess, SandboxMode, SandboxName, ScannerCode, ScheduledJob, Scheduler, ServedPart,
  SessionState, SkippedBlock, StatedEntry, StreamOptions, TerminalSettings, Touch, UnreadPart, UsageCode,
  UserInterface, UserQuestion, VerbContext, VerbDefinition, VerbSpec, Vocabulary, WiderAccess, WorkProgress,
  WriteOutcome,
} from '../comp/0-contracts/src/index.js'
export {
  DEFAULT_LIMITS, execute, Hermes, mendAnswer as mend, VerbExecutor, VERBS, type CallbackFailure, type ContextPrompt,
  type ExecutorOptions, type FunctionCall, type MendedAnswer, type PrepareOptions, type ReadableText, type Refusal,
  type RunOptions, type RunResult, type TakeBackOptions, type TextChunk, type TextSource, type VerbResult,
} from '../comp/5-executor/src/index.js'
export type { PathReason, Reversal, TransactionOutcome, UndoOutcome } from '../comp/3-transaction/src/index.js'
export type { ExtensionUi, PreparedAnswer } from '../comp/2-extensions/src/index.js'
export { parse } from '../comp/1-reading/src/index.js'
export type { FailedBlock, ReadBlock, ScanOptions, ThoughtTag } from '../comp/1-reading/src/index.js'
export { readResponse } from '../comp/2-transcripts/src/index.js'
export {
  anthropicTool, argsJsonSchema, mcpTool, openAiTool, parameterDefinitions, renderIdl, resultJsonSchema, toolName,
  TOOLSET_NAMES, toVerbResult, VerbRegistry, type AnthropicTool, type JsonSchema, type LazyVerb, type McpTool,
  type OpenAiTool, type ParameterDefinition, type ParameterDefinitions, type ParameterType,
} from '../comp/1-registry/src/index.js'
export { createSeenContents, renderFeedback, renderReply, tokensAtMost } from '../comp/1-reports/src/index.js'
export type {
  BlockColumns, FencesFound, ItemOptions, ReplyOptions, ReportStyle, SeenContents,
} from '../comp/1-reports/src/index.js'

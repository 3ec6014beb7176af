export {
  answerOfYes, opensPart, SANDBOX_ACCESS, type AccessAnswer, type ApprovalAnswer, type ApprovalKind,
  type ApprovalQuestion, type ApprovalReason, type ApprovalReply, type ApprovalRequest, type ApprovalVariable,
  type Consent, type SandboxAccess, type WiderAccess,
} from './approvals.js'
export { CHECKS, DEFAULT_CHECKS, type Checks } from './checks.js'
export { EDIT_FORMAT_SPECS, EDIT_FORMATS, type EditFormat, type EditVerb } from './edit-formats.js'
export { formatsOf } from './formats-of.js'
export { allFormats, isNamedDialect, NAMED_DIALECTS, PROMPT_DIALECTS, READ_FORMATS } from './read-formats.js'
export type { NamedDialect, PromptDialect, ReadFormat } from './read-formats.js'
export type { BlockFormat, Fix, ParsedBlock, ParseError, ParseOutcome, SkippedBlock } from './blocks.js'
export { ALL_CODES, EXECUTION_CODES, NESL_CODES, NODE_CODES, SCANNER_CODES } from './codes.js'
export type { ErrorCode, ExecutionCode, NeslCode, ScannerCode, UsageCode } from './codes.js'
export { MAPPING_NAMES, type MappingName } from './mapping-names.js'
export { MOST_OFFSETS } from './most-offsets.js'
export {
  asciiHost, commonHosts, commonReach, hostsBeyond, isAddress, namesHost, problemOfHost, readHosts, splitHost,
} from './network-hosts.js'
export type { NetworkReach } from './network-hosts.js'
export {
  caught, caughtLater, HermesError, ifPossible, isNodeError, orNothing, unless, unlessCode, unlessRefused, unlessThrown,
  type HermesErrorDetails,
} from './errors.js'
export type {
  ApprovedPath, DirectoryEntry, FileChange, FileStat, FileStore, OverwriteCheck, PathAccess, PathGate, PathProbe,
  StatedEntry, WriteOutcome, Touch,
} from './files.js'
export type { HookMoment, HookOptions, HookResult } from './hooks.js'
export { addPackages } from './optional-packages.js'
export type { ExtensionSetting, Given, HermesOptions, Lenient, StreamOptions } from './options.js'
export type {
  KeptChoice, KeptReading, PathPolicy, Policy, PolicyClass, PolicyLimits, PolicyOptions, Ruling, SandboxMode,
  TerminalSettings,
} from './policy.js'
export { languageServerOf, SERVED_LANGUAGES } from './language-servers.js'
export type { LanguageServer, LanguageServerOptions } from './language-servers.js'
export type { McpServer, McpServerOptions } from './mcp-servers.js'
export type { ModelResponse, ResponseFormat, ResponsePart, ServedPart, UnreadPart } from './model-response.js'
export { tracked, Turns, untilAborted } from './pending-work.js'
export type { Permission } from './permission.js'
export type { RemoteVerbs } from './remote-verbs.js'
export { isPlainObject, isRecord, MOST_NESTING, nestsDeeper, parseJson } from './is-record.js'
export {
  defineVerb, type AccessClass, type Accessibility, type AnyVerb, type ContextItem, type Elsewhere, type FilePart,
  type HeldContent, type KeptResource, type Limits, type RequiredKey, type Requirements, type SessionState,
  type VerbContext, type VerbDefinition, type VerbSpec, type Vocabulary,
} from './verbs.js'
export { CANCELLED_BEFORE_START, STOPPED_BEFORE_START } from './results.js'
export type { ActionResult, BrokenFile, ExecutionResult, HermesEvent, OmittedCounts, Rewrite } from './results.js'
export type {
  CommandSandbox, CommitPlace, ConfinedProgram, FirstProcess, ProgramCall, ProgramLimits, ProgramUsage,
  ReachedHosts, SharedNamespaces, Walls,
} from './sandbox.js'
export type { SandboxName } from './sandbox-name.js'
export type { PrintedLines, WorkProgress } from './work-progress.js'
export {
  absolutePath, boundedText, described, EXTENSION_SETTINGS, flag, integer, integerBetween, notArray, path, text,
  textMap, texts, titled, toolPath, type CodePointsAction,
} from './schemas.js'
export { nameSettingsBy, settingName, type SettingName } from './setting-names.js'
export type {
  DelegateCall, DelegatedChange, DelegatedState, DelegateEnd, DelegateMode, DelegateOutcome, DelegateProposal,
  Delegates, DelegateTask,
} from './delegates.js'
export type { NewScheduledJob, ScheduledJob, Scheduler } from './scheduler.js'
export type { ConfirmationRequest, UserInterface, UserQuestion } from './user-interface.js'

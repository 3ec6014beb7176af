/** The public surface of hermes on Node. Contract section 5; `hermes/core` is its pure part. */
export {
  absolutePath, defineVerb, EXECUTION_CODES, HermesError, integer, NESL_CODES, NODE_CODES, SCANNER_CODES, text,
} from '../comp/contracts/src/index.js'
export type {
  AccessClass, Accessibility, ActionResult, AnyVerb, ApprovedPath, BlockFormat, ContextItem, DirectoryEntry, ErrorCode,
  ExecutionResult, FileChange, FileStat, FileStore, HermesEvent, HermesOptions, Limits, ParsedBlock, ParseError, ParseOutcome,
  PathAccess, PathGate, SessionState, SkippedBlock, VerbContext, VerbDefinition, Vocabulary, WriteOutcome,
} from '../comp/contracts/src/index.js'
export { DEFAULT_LIMITS, execute, Hermes } from '../comp/executor/src/index.js'
export type { ExecutorOptions } from '../comp/executor/src/index.js'
export { parse } from '../comp/parsers/src/index.js'
export { parameterDefinitions, VerbRegistry } from '../comp/registry/src/index.js'
export type { LazyVerb, ParameterDefinition, ParameterDefinitions } from '../comp/registry/src/index.js'
export { renderFeedback } from '../comp/reports/src/index.js'
export { VERBS } from '../comp/verbs/src/index.js'

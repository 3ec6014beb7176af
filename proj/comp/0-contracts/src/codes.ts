/**
 * The stable machine codes of errors. Node's own codes (`ENOENT`, …) pass through unchanged; only those that hermes
 * itself raises are listed here.
 */
export const NODE_CODES = [
  'ENOENT', 'EACCES', 'EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'ENOSPC', 'ELOOP', 'EPERM', 'EROFS',
] as const

/** Codes of `nesl-js`: what can be wrong inside one SHAM or NESL block. */
export const NESL_CODES = [
  'DUPLICATE_KEY', 'MALFORMED_HEADER', 'INVALID_BLOCK_ID', 'INVALID_KEY', 'INVALID_VALUE', 'UNCLOSED_QUOTE',
  'UNCLOSED_HEREDOC', 'UNCLOSED_BLOCK', 'MISMATCHED_END', 'TRAILING_CONTENT', 'MALFORMED_ASSIGNMENT',
  'INVALID_ASSIGNMENT_OPERATOR', 'INVALID_HEREDOC_DELIMITER', 'EMPTY_KEY',
] as const

/** Codes of the scanner and of the parsers of envelopes, tool calls and edits. */
export const SCANNER_CODES = [
  'INVALID_ENVELOPE', 'INVALID_TOOL_CALL', 'INVALID_EDIT', 'UNCLOSED_THINK', 'UNCLOSED_COMMENT', 'UNCLOSED_FENCE',
  'NOT_LIVE', 'STRAY_THINK_END', 'NOT_READ', 'DIFF_AS_FILE', 'EXCERPT', 'QUOTED_FILE',
] as const

/** Codes of validation and execution. */
export const EXECUTION_CODES = [
  'UNKNOWN_ACTION', 'MISSING_ACTION', 'MISSING_PARAMETER', 'UNKNOWN_PARAMETER', 'INVALID_PARAMETER',
  'TEXT_NOT_FOUND', 'TEXT_COUNT_MISMATCH', 'AMBIGUOUS_MATCH', 'ELIDED_CONTENT', 'RANGE_INVALID', 'FILE_TOO_LARGE',
  'NOT_TEXT', 'POLICY_DENIED', 'APPROVAL_DENIED', 'TIMEOUT', 'OUTPUT_LIMIT', 'CANCELLED', 'CHANGED_ON_DISK',
  'NONZERO_EXIT', 'NO_USER', 'CALLBACK_FAILED', 'NOT_INSTALLED', 'TERMINAL_FAILED', 'SHELL_BUSY', 'TOOL_FAILED',
  'SERVER_FAILED',
  'EXTENSION_FAILED', 'HOOK_FAILED', 'NOT_A_REPOSITORY', 'NOTHING_TO_COMMIT',
  'OPERATION_IN_PROGRESS', 'LOCKED', 'INTERRUPTED_RUN', 'NOTHING_TO_UNDO', 'UNTRUSTED_JOURNAL',
  'NOTHING_TO_SQUASH', 'NO_IDENTITY', 'NETWORK_NOT_HELD',
  'RUN_STOPPED', 'INTERNAL',
] as const

/** Codes of wrong options and registrations: these are thrown at the caller, and never appear in results. */
export const USAGE_CODES = [
  'INVALID_OPTION', 'INVALID_POLICY', 'INVALID_PLAN', 'PLAN_CHANGED', 'INVALID_TRANSCRIPT', 'INVALID_MAPPING',
  'INVALID_JOB', 'OTHER_SERVER', 'CORRUPT_CONTENT', 'UNREACHABLE', 'NO_CLIPBOARD', 'ALREADY_REGISTERED', 'MODEL_FAILED',
  'NOT_UPDATED', 'NO_BLOCKS',
] as const

/** Every code that `hermes help` explains. */
export const ALL_CODES: readonly string[] = [
  ...EXECUTION_CODES, ...SCANNER_CODES, ...NESL_CODES, ...NODE_CODES, ...USAGE_CODES,
]

/** Code of an error inside one SHAM or NESL block, as `nesl-js` names it. */
export type NeslCode = (typeof NESL_CODES)[number]
/** Code of an error in the text around blocks, in an envelope, a call or an edit. */
export type ScannerCode = (typeof SCANNER_CODES)[number]
/** Code of a block that is not as its verb asks, or failed as it ran. */
export type ExecutionCode = (typeof EXECUTION_CODES)[number]
/** Code of an error that is thrown at the caller: a wrong option or registration. */
export type UsageCode = (typeof USAGE_CODES)[number]
/** Any string: Node's codes are an open set. */
export type ErrorCode = NeslCode | ScannerCode | ExecutionCode | UsageCode | (string & {})

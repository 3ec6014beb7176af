import * as v from 'valibot'
import type {
  ActionResult, BrokenFile, ExecutionResult, FileChange, Fix, HermesEvent, HookResult, OmittedCounts, ParsedBlock,
  ParseError, Rewrite, SkippedBlock,
} from '../../0-contracts/src/index.js'
import type { Fields } from '../../2-wire/src/index.js'

const text = v.string()
const whole = v.pipe(v.number(), v.integer())
const optionalText = v.optional(text)
const isTrue = v.optional(v.literal(true))
const params = v.record(text, v.unknown())
const diffed = { diff: text, truncated: isTrue }

export const FIX = v.object({ startLine: whole, endLine: whole, text } satisfies Fields<Fix>)

export const PARSED_BLOCK = v.object({
  id: text, format: text, dialect: optionalText, textValues: isTrue, action: text, params, startLine: whole,
  endLine: whole,
} satisfies Fields<ParsedBlock>)

export const PARSE_ERROR = v.object({
  blockId: optionalText, runId: optionalText, startLine: whole, endLine: whole, source: text,
  error: v.object({
    code: text, message: text, line: whole, column: whole, length: whole, hint: optionalText, fix: v.optional(FIX),
  } satisfies Fields<ParseError['error']>),
} satisfies Fields<ParseError>)

export const SKIPPED_BLOCK = v.object({
  startLine: whole, endLine: whole, reason: text, blockId: optionalText,
} satisfies Fields<SkippedBlock>)

const BROKEN_FILE = v.object({
  path: text,
  parseErrors: v.array(v.object({ line: whole, text, missing: optionalText })),
  more: v.optional(whole),
  dropped: v.array(v.object({ name: text, line: whole, marks: v.array(text) })),
  diagnostics: v.optional(v.array(v.object({ line: whole, code: text, message: text }))),
  moreDiagnostics: v.optional(whole),
} satisfies Fields<BrokenFile>)

export const ACTION_RESULT = v.object({
  seq: whole, blockId: text, action: text, params,
  ranAs: v.optional(v.array(v.object({ action: text, params }))), verbVersion: optionalText,
  success: v.boolean(), error: optionalText, code: optionalText, hint: optionalText, fix: v.optional(FIX),
  warned: isTrue, data: v.optional(v.unknown()), written: v.optional(v.object(diffed)),
  broke: v.optional(v.array(BROKEN_FILE)), runId: optionalText,
  hooks: v.optional(v.array(whole)), startLine: whole, endLine: whole, durationMs: v.number(),
} satisfies Fields<ActionResult>)

export const HOOK_RESULT = v.object({
  seq: whole, name: text, on: v.picklist(['before', 'after_write', 'after']), command: text, by: text,
  success: v.boolean(), ignored: isTrue, planned: isTrue, timeoutMs: v.optional(v.number()), continueOnError: isTrue,
  paths: v.optional(v.array(text)), blocks: v.optional(v.array(text)), changed: v.optional(v.array(text)),
  diffs: v.optional(v.array(v.object({ path: text, ...diffed }))), exitCode: v.optional(whole), sandbox: optionalText,
  output: text, error: optionalText, code: optionalText, hint: optionalText, durationMs: v.number(),
} satisfies Fields<HookResult>)

const REWRITE = v.object({
  extension: text, version: optionalText, command: text, before: text, after: text, diff: text,
} satisfies Fields<Rewrite>)

export const EXECUTION_RESULT = v.object({
  success: v.boolean(), totalBlocks: whole, executedActions: whole, results: v.array(ACTION_RESULT),
  parseErrors: v.array(PARSE_ERROR), skipped: v.array(SKIPPED_BLOCK),
  omitted: v.optional(v.object({
    succeeded: whole, failed: whole, parseErrors: whole, skipped: whole,
  } satisfies Fields<OmittedCounts>)),
  hooks: v.optional(v.array(HOOK_RESULT)), rewrites: v.optional(v.array(REWRITE)), dryRun: isTrue,
  runId: optionalText, gitCommit: optionalText,
  rolledBack: v.optional(v.union([v.literal(true), v.picklist(['files', 'partly'])])),
  warnings: v.optional(v.array(text)), fatalError: optionalText, durationMs: v.number(),
} satisfies Fields<ExecutionResult>)

export const FILE_CHANGE = v.object({
  kind: v.picklist(['create', 'modify', 'delete', 'move', 'create-directory', 'delete-directory']), path: text,
  from: optionalText, before: optionalText, after: optionalText,
} satisfies Fields<FileChange>)

/** The events of a run except its end, which is the answer to `execute`. */
type ToldEvent<Type extends HermesEvent['type']> = Fields<Extract<HermesEvent, { type: Type }>>
export const EVENT = v.variant('type', [
  v.object({
    type: v.literal('block-start'), seq: whole, blockId: text, action: text, startLine: whole, subject: optionalText,
  } satisfies ToldEvent<'block-start'>),
  v.object({
    type: v.literal('block-end'), result: ACTION_RESULT, changes: v.array(FILE_CHANGE),
  } satisfies ToldEvent<'block-end'>),
  v.object({ type: v.literal('parse-error'), error: PARSE_ERROR } satisfies ToldEvent<'parse-error'>),
  v.object({ type: v.literal('skipped'), block: SKIPPED_BLOCK } satisfies ToldEvent<'skipped'>),
  v.object({
    type: v.literal('hook-start'), name: text, on: HOOK_RESULT.entries.on, command: text,
  } satisfies ToldEvent<'hook-start'>),
  v.object({ type: v.literal('hook-end'), result: HOOK_RESULT } satisfies ToldEvent<'hook-end'>),
])

/** Schemas that documents refer to by name. */
export const RUN_SCHEMAS = {
  ExecutionResult: EXECUTION_RESULT, ActionResult: ACTION_RESULT, HookResult: HOOK_RESULT, ParsedBlock: PARSED_BLOCK,
  ParseError: PARSE_ERROR, SkippedBlock: SKIPPED_BLOCK, Fix: FIX, FileChange: FILE_CHANGE, RunEvent: EVENT,
}

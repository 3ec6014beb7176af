import type { Fix, ParseError, SkippedBlock } from './blocks.js'
import type { ErrorCode } from './codes.js'
import type { FileChange } from './files.js'
import type { HookMoment, HookResult } from './hooks.js'

/** What happened to one block that parsed. Contract section 2. */
export interface ActionResult {
  /** 1-based order among the results. */
  seq: number
  blockId: string
  action: string
  params: Record<string, unknown>
  /** Of a call of another harness's tool (`mapping`): the calls of verbs that ran in its place, mostly one. */
  ranAs?: { action: string; params: Record<string, unknown> }[]
  /** Of the verb that was called, semver: where the user's config brings it, or several versions are registered. */
  verbVersion?: string
  success: boolean
  /** One line a model can act on. */
  error?: string
  code?: ErrorCode
  /** What to write instead; of a block that succeeded, what there is to know besides. */
  hint?: string
  /** The lines to put in place so that the block means what was meant; only where a single reading exists. */
  fix?: Fix
  /** It succeeded, and the hint says what is likely wrong with what it did: `--feedback` tells the model of it too. */
  warned?: true
  /** The verb's result. */
  data?: unknown
  /** How what it wrote differs from its own text, where it found its place by a tolerance: hunks of a unified diff. */
  written?: { diff: string; truncated?: true }
  /** The files of code that it left with new parse errors or problems, or with declarations that lost something. */
  broke?: BrokenFile[]
  /** Of a run that this one goes on with (`--continue`): which; the lines are those of its answer. */
  runId?: string
  /** `seq` of the hooks that ran for a file that the block wrote. */
  hooks?: number[]
  startLine: number
  endLine: number
  durationMs: number
}

/** What an edit did besides to a file of code, as far as a parser can tell. Nothing of it is a failure. */
export interface BrokenFile {
  /** Relative to the root where it is below it. */
  path: string
  /** Places that cannot be parsed and could before, or are new; the first few. */
  parseErrors: { line: number; text: string; missing?: string }[]
  /** How many more of them there are. */
  more?: number
  /** Decorators, attributes, `export`, `async` and doc comments that a declaration had and has no more. */
  dropped: { name: string; line: number; marks: string[] }[]
  /**
   * With `checks: full`: what TypeScript's language service says of the file after the whole run and did not say before
   * it; the first few, with the block that wrote the file last.
   */
  diagnostics?: { line: number; code: string; message: string }[]
  /** How many more of these there are. */
  moreDiagnostics?: number
}

/** What an extension made of an answer before it ran. */
export interface Rewrite {
  /** As the user's config, or the caller, calls it. */
  extension: string
  /** As it says itself. */
  version?: string
  command: string
  /** SHA-256 of the text (UTF-8), in hexadecimal. */
  before: string
  after: string
  /** Unified, without file names; cut off at 64 Ki characters. */
  diff: string
}

/** What happened to a whole answer. Contract section 2. */
export interface ExecutionResult {
  /** False if any block failed or did not parse, a hook failed that may not, or `fatalError` is set. */
  success: boolean
  totalBlocks: number
  /** Blocks whose handler was started. */
  executedActions: number
  results: ActionResult[]
  parseErrors: ParseError[]
  skipped: SkippedBlock[]
  /** Of a stream: what the lists above do not hold, since there was too much of it (`StreamOptions.maxKeptBytes`). */
  omitted?: OmittedCounts
  /** What the commands of `hooks:` did, in their order; absent where none ran. */
  hooks?: HookResult[]
  /** What extensions made of the answer, in their order; places in it are those of the text that they left. */
  rewrites?: readonly Rewrite[]
  /** Nothing on disk was changed and no command was started. */
  dryRun?: true
  /** Full SHA, when the run was committed. */
  gitCommit?: string
  /**
   * Atomic, and a block failed: everything is as it was before the run (`true`); `files` where commands ran, since only
   * the files they changed can be put back, as far as git knows them; `partly` where something is left, see `warnings`
   * and `fatalError`.
   */
  rolledBack?: true | 'files' | 'partly'
  /** What the user should know besides, one line each. */
  warnings?: string[]
  /** A failure of git or of the system that stopped the run, or its commit. */
  fatalError?: string
  durationMs: number
}

/** How many of each kind a result does not hold; the other counts of it are of all. */
export interface OmittedCounts {
  succeeded: number
  failed: number
  parseErrors: number
  skipped: number
}

/** The error of a block whose turn came when its run was cancelled. */
export const CANCELLED_BEFORE_START = 'Cancelled before it started'

/** What a session reports while it runs, in text order. */
export type HermesEvent<Result extends ExecutionResult = ExecutionResult> =
  /** `subject`: what it is about, on one line: its path, or the command it runs. Secrets are masked. */
  | { type: 'block-start'; seq: number; blockId: string; action: string; startLine: number; subject?: string }
  /** `changes`: what the block did to files; with texts in a dry run. */
  | { type: 'block-end'; result: ActionResult; changes: readonly FileChange[] }
  | { type: 'parse-error'; error: ParseError }
  | { type: 'skipped'; block: SkippedBlock }
  | { type: 'hook-start'; name: string; on: HookMoment; command: string }
  | { type: 'hook-end'; result: HookResult }
  | { type: 'end'; result: Result }

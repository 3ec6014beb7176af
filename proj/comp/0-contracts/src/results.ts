import type { Fix, ParseError, SkippedBlock } from './blocks.js'
import type { ErrorCode } from './codes.js'
import type { FileChange } from './files.js'
import type { HookMoment, HookResult } from './hooks.js'

/** What happened to one block that parsed. */
export interface ActionResult {
  /** 1-based order among the results. */
  seq: number
  blockId: string
  action: string
  params: Record<string, unknown>
  /** For a call of another harness's tool (`mapping`): the verb calls that ran in its place, usually one. */
  ranAs?: { action: string; params: Record<string, unknown> }[]
  /** Semver of the verb; only for verbs from the user's config, or where several versions are registered. */
  verbVersion?: string
  success: boolean
  /** One line a model can act on. */
  error?: string
  code?: ErrorCode
  /** What to write instead; for a block that succeeded, further advice. */
  hint?: string
  /** Replacement lines that would correct the block; only where a single reading of it is possible. */
  fix?: Fix
  /** The block succeeded, but the hint names a likely mistake; `--feedback` then shows it to the model as well. */
  warned?: true
  /** The verb's result. */
  data?: unknown
  /**
   * Where an edit matched only with a tolerance: how the written text differs from the block's own; hunks of a unified
   * diff.
   */
  written?: { diff: string; truncated?: true }
  /** Code files that the block left with new parse errors or problems, or with declarations that lost something. */
  broke?: BrokenFile[]
  /** For a run with `--continue`: the id of the run that the lines refer to. */
  runId?: string
  /** `seq` of the hooks that ran for a file this block wrote. */
  hooks?: number[]
  startLine: number
  endLine: number
  durationMs: number
}

/** Side effects of an edit on a code file, as far as a parser can tell. They never make the block fail. */
export interface BrokenFile {
  /** Relative to the root if below it, else absolute. */
  path: string
  /** New syntax errors; the first few. */
  parseErrors: { line: number; text: string; missing?: string }[]
  /** Number of further syntax errors. */
  more?: number
  /** Decorators, attributes, `export`, `async` and doc comments that a declaration lost. */
  dropped: { name: string; line: number; marks: string[] }[]
  /**
   * With `checks: full`: problems that TypeScript's language service finds in the file after the whole run and did not
   * find before; the first few, on the last block that wrote the file.
   */
  diagnostics?: { line: number; code: string; message: string }[]
  /** Number of further diagnostics. */
  moreDiagnostics?: number
}

/** How an extension changed an answer before it ran. */
export interface Rewrite {
  /** Name of the extension in the user's config or in the caller's options. */
  extension: string
  /** Version that the extension reports. */
  version?: string
  command: string
  /** SHA-256 of the text before (in UTF-8), in hexadecimal. */
  before: string
  after: string
  /** Unified diff without file names; cut off at 65,536 characters. */
  diff: string
}

/** What happened to a whole answer. */
export interface ExecutionResult {
  /** False if a block failed or did not parse, a hook failed (without `continue_on_error`), or `fatalError` is set. */
  success: boolean
  totalBlocks: number
  /** Blocks whose handler was started. */
  executedActions: number
  results: ActionResult[]
  parseErrors: ParseError[]
  skipped: SkippedBlock[]
  /** For a stream: counts of what the lists above left out for size (`StreamOptions.maxKeptBytes`). */
  omitted?: OmittedCounts
  /** Results of the commands of `hooks:`, in order; absent where none ran. */
  hooks?: HookResult[]
  /** What extensions changed, in order; line numbers of this result refer to the text after the last one. */
  rewrites?: readonly Rewrite[]
  /** A dry run: nothing on disk was changed and no command was started. */
  dryRun?: true
  /** Id of the run, for `Hermes.undo`. Absent in a dry run, and where the files are on another host. */
  runId?: string
  /** Full SHA of the run's commit. */
  gitCommit?: string
  /**
   * An atomic run was rolled back because a block failed. `true`: everything is as before the run; `files`: commands
   * ran, so only files were restored, those of commands as far as git knows them; `partly`: something could not be
   * restored, see `warnings` and `fatalError`.
   */
  rolledBack?: true | 'files' | 'partly'
  /** Further remarks for the user, one line each. */
  warnings?: string[]
  /** A failure of git or of the system that stopped the run or its commit. */
  fatalError?: string
  durationMs: number
}

/** Number of entries of each kind that a result left out; its other counts include them. */
export interface OmittedCounts {
  succeeded: number
  failed: number
  parseErrors: number
  skipped: number
}

/** The error of a block that had not started when its run was cancelled. */
export const CANCELLED_BEFORE_START = 'Cancelled before it started'
/** The error of a block that had not started when the run stopped; the reason is the `fatalError`. */
export const STOPPED_BEFORE_START = 'Not started: the run was stopped'

/** What a session reports during a run, in text order. */
export type HermesEvent<Result extends ExecutionResult = ExecutionResult> =
  /** `subject`: the path or command that the block is about, on one line. Secrets are masked. */
  | { type: 'block-start'; seq: number; blockId: string; action: string; startLine: number; subject?: string }
  /** `changes`: the block's changes to files; in a dry run with their texts. */
  | { type: 'block-end'; result: ActionResult; changes: readonly FileChange[] }
  | { type: 'parse-error'; error: ParseError }
  | { type: 'skipped'; block: SkippedBlock }
  | { type: 'hook-start'; name: string; on: HookMoment; command: string }
  | { type: 'hook-end'; result: HookResult }
  | { type: 'end'; result: Result }

import type { ErrorCode } from './codes.js'
import type { SandboxName } from './sandbox-name.js'

/** When a hook runs: before the first block, after the last, or after it for the files that verbs wrote. */
export type HookMoment = 'before' | 'after_write' | 'after'

/** One entry of `hooks:` in a policy file; docs/hooks.md describes each field. */
export interface HookOptions {
  name?: string
  /** Program and arguments, or a command line for the shell. */
  run: string | readonly string[]
  /** Of `after_write`: patterns as in `allow`; without them every file that was written. */
  files?: string | readonly string[]
  /** Of `after_write`: once for each file, or once with all of them. */
  each?: 'file' | 'run'
  /** Seconds, or `90s`, `5m`. */
  time_limit?: number | string
  continue_on_error?: boolean
}

/** What one start of a command of `hooks:` did. */
export interface HookResult {
  /** 1-based order among the hooks of the run. */
  seq: number
  name: string
  on: HookMoment
  /** As it was started, words quoted where a shell needs it. */
  command: string
  /** The line that says so: `hermes.yaml:12`. */
  by: string
  success: boolean
  /** It failed, and the run goes on as if it had not (`continue_on_error`). */
  ignored?: true
  /** A dry run: it would be started. */
  planned?: true
  /**
   * Of what is planned, where its file says so: its own time limit in milliseconds,
   * and that a failure of it is ignored.
   */
  timeoutMs?: number
  continueOnError?: true
  /** Files it ran for, from the root. */
  paths?: string[]
  /** Ids of the blocks that wrote those. */
  blocks?: string[]
  /** Those of `paths` that it changed: they are no longer as the blocks wrote them. */
  changed?: string[]
  /**
   * How it changed those: unified hunks without a head, of small texts, at most 40 lines or 4 KB of each (`truncated`
   * where there are more), of 20 files of a run. Secrets are masked.
   */
  diffs?: { path: string; diff: string; truncated?: true }[]
  /** Absent where it was stopped or not started. */
  exitCode?: number
  sandbox?: SandboxName
  /** Both streams as they came; of long output the start and the end. Secrets are masked. */
  output: string
  error?: string
  code?: ErrorCode
  hint?: string
  durationMs: number
}

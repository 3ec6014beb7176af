import type { ErrorCode } from './codes.js'
import type { SandboxName } from './sandbox-name.js'

/**
 * When a hook runs: before the first block, after the last one for the files that verbs wrote, or after the last one.
 */
export type HookMoment = 'before' | 'after_write' | 'after'

/** One entry of `hooks:` in a policy file; docs/hooks.md describes each field. */
export interface HookOptions {
  name?: string | undefined
  /** Program and arguments, or a command line for the shell. */
  run: string | readonly string[]
  /** Only for `after_write`: glob patterns as in `allow`. Default: every file that was written. */
  files?: string | readonly string[] | undefined
  /** Only for `after_write`: run once for each file, or once with all of them. */
  each?: 'file' | 'run' | undefined
  /** Seconds, or `90s`, `5m`. */
  time_limit?: number | string | undefined
  continue_on_error?: boolean | undefined
}

/** The outcome of one start of a hook command. */
export interface HookResult {
  /** 1-based order among the hooks of the run. */
  seq: number
  name: string
  on: HookMoment
  /** The command line as started, with words quoted where a shell needs it. */
  command: string
  /** The config line that declares the hook: `hermes.yaml:12`. */
  by: string
  success: boolean
  /** It failed, and the run goes on as if it had not (`continue_on_error`). */
  ignored?: true
  /** Dry run: the hook would be started. */
  planned?: true
  /**
   * Set by the hook's file, and given for planned hooks: the time limit in milliseconds, and whether a failure is
   * ignored.
   */
  timeoutMs?: number
  continueOnError?: true
  /** Files it ran for, relative to the root. */
  paths?: string[]
  /** Ids of the blocks that wrote those files. */
  blocks?: string[]
  /** The files of `paths` that the hook changed: they no longer hold what the blocks wrote. */
  changed?: string[]
  /**
   * How the hook changed those files: unified hunks without file headers, for small texts, at most 40 lines or 4 KB for
   * each (else `truncated`), for at most 20 files of a run. Secrets are masked.
   */
  diffs?: { path: string; diff: string; truncated?: true }[]
  /** Absent where the command was killed or not started. */
  exitCode?: number
  sandbox?: SandboxName
  /** Standard output and error, interleaved; of long output the start and the end. Secrets are masked. */
  output: string
  error?: string
  code?: ErrorCode
  hint?: string
  durationMs: number
}

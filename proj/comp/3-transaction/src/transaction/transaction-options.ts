import type { PathPolicy } from '../../../0-contracts/src/index.js'
import type { Baselines, RunBegin } from '../journal/index.js'
import type { HookConsent } from '../../../2-sandbox/src/index.js'

export interface TransactionOptions {
  /** Absolute, links resolved. */
  root: string
  runId: string
  baselines: Baselines
  /** Commit in a git work tree. */
  git: boolean
  /** Fail outside a git work tree. */
  requireGit?: boolean
  /** New files of commands that it denies are not committed. */
  policy?: PathPolicy | undefined
  /** Flush the journal before each change, so that it survives a loss of power. */
  durable: boolean
  /** How long to wait for another run in the same root, in milliseconds. */
  waitMs: number
  /** All blocks or none. */
  atomic?: boolean
  /** Keep texts in the changes of files, for diffs. */
  keepsTexts?: boolean
  kind?: RunBegin['kind']
  /** Runs of one unit are undone together; a run with a unit that changed nothing is not kept. */
  unit?: string | undefined
  /** Called once, with a description of who works in the root, when the run has to wait. */
  onWait?: ((who: string) => void) | undefined
  /** The run that is undone or redone. */
  of?: string
  /** Hash of git's hooks and configuration before that run, if it changed them: hooks are then not run. */
  programs?: string
  /** Where the hooks of its commit run. Absent: git runs them as usual. */
  hooks?: HookConsent | undefined
  /**
   * Directories from which hermes may be started next: files there that decide what starts are restored after the run.
   */
  nextStart?: readonly string[]
  signal: AbortSignal
}

/** What came of the changes of a run when it ended. */
export interface TransactionOutcome {
  /** Full SHA. */
  gitCommit?: string
  /** A refusal of git or the system; the run's changes stay. */
  fatalError?: string
  /** Further remarks for the user. */
  warnings: string[]
}

export interface RolledBack {
  /**
   * `true`: everything is restored; `files`: commands ran, so only files are, as far as git knows them; `partly`: not
   * even those.
   */
  extent: true | 'files' | 'partly'
  /** Paths that could not be restored. */
  left: { path: string; reason: string }[]
  warnings: string[]
}

import type { PathPolicy } from '../../../0-contracts/src/index.js'
import type { Baselines, RunBegin } from '../journal/index.js'
import type { HookConsent } from '../../../2-sandbox/src/index.js'

export interface TransactionOptions {
  /** Canonical. */
  root: string
  runId: string
  baselines: Baselines
  /** Commit in a git work tree. */
  git: boolean
  /** Refuse to work outside of one. */
  requireGit?: boolean
  /** What policies deny, of what commands made, is not committed. */
  policy?: PathPolicy | undefined
  /** Flush the journal before each change, so that it survives a loss of power. */
  durable: boolean
  /** How long to wait for another run in the same root. */
  waitMs: number
  /** All blocks or none. */
  atomic?: boolean
  /** The changes of files hold texts, for diffs. */
  keepsTexts?: boolean
  kind?: RunBegin['kind']
  /** Runs of one unit are undone together; one of these that changed nothing is not kept. */
  unit?: string | undefined
  /** Told once, in words, who works in the root while the run waits for it. */
  onWait?: ((who: string) => void) | undefined
  /** The run that is taken back or repeated. */
  of?: string
  /** Hash of git's hooks and configuration before that run, where it changed them: no others are run. */
  programs?: string
  /** Where the hooks of its commit run. Absent: as git runs them. */
  hooks?: HookConsent | undefined
  /** Directories from which hermes may be started next: what decides there what starts is put back after the run. */
  nextStart?: readonly string[]
  signal: AbortSignal
}

export interface TransactionOutcome {
  /** Full SHA. */
  gitCommit?: string
  /** What git or the system refused; what the run did stays. */
  fatalError?: string
  /** What the user should know besides. */
  warnings: string[]
}

export interface RolledBack {
  /** Everything is as before; only files are, as far as git knows them, since commands ran; or not even those. */
  extent: true | 'files' | 'partly'
  /** Paths that could not be put back. */
  left: { path: string; reason: string }[]
  warnings: string[]
}

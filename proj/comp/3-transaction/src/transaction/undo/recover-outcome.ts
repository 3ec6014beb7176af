import type { PathGate } from '../../../../0-contracts/src/index.js'
import type { HookConsent } from '../../../../2-sandbox/src/index.js'
import type { EndedProcess } from '../commands/run-processes.js'

export interface RecoverOptions {
  /** Canonical. */
  root: string
  gate: PathGate
  /** Put everything back as it was before the run; otherwise what it did stays, and is committed. */
  restore: boolean
  /** With `restore`: also what was changed after the run died, which may be someone else's work. */
  force?: boolean
  /** Takes the whole journal as this user's and signs it. Default: only what is signed with this user's key counts. */
  trustJournal?: boolean
  git: boolean
  waitMs: number
  /** Where the hooks of its commit run. Absent: as git runs them. */
  hooks?: HookConsent | undefined
  signal: AbortSignal
}

export interface RecoverOutcome {
  /** The run that was interrupted; absent when there is none. */
  runId?: string
  restored: boolean
  /** Paths the run had changed. */
  paths: string[]
  /** Paths that could not be put back, with the reason. */
  left: { path: string; reason: string }[]
  gitCommit?: string
  /** Processes of the run that were still at work, and were ended. */
  ended?: EndedProcess[]
  /** Runs that died before it, and are still to be recovered. */
  others?: string[]
  /** What the user should know besides. */
  warnings?: string[]
}

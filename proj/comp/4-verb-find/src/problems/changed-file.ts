import type { ApprovedPath } from '../../../0-contracts/src/index.js'
import type { ChangedScript, ScriptProblem } from '../symbols/typescript/check-thread.js'

/** A file that a run has changed. */
export type ChangedFile = ChangedScript & { path: ApprovedPath }

/** New problems by file, and why nothing is known of others: one line each. */
export interface ChangedFileProblems {
  problems: Map<string, ScriptProblem[]>
  unknown: string[]
}

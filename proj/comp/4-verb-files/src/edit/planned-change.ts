import type { ApprovedPath } from '../../../0-contracts/src/index.js'
import type { MatchTier, FilePatch } from '../../../1-edits/src/index.js'

export type PatchVerb = 'apply_patch' | 'patch_unified'

/** What is to be done to one file, decided in full. */
export interface PlannedChange {
  patch: FilePatch
  /** As the patch names it: the file that is there afterwards, or goes. */
  path: string
  target: ApprovedPath
  /** Of a moved or copied file. */
  source?: { path: string; target: ApprovedPath }
  /** The new content; `undefined` where it stays as it is, or goes. */
  content: string | undefined
  match?: MatchTier
  alreadyApplied?: true
}

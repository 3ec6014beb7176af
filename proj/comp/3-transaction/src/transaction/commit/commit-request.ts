import type { FileState, RunBegin } from '../../journal/index.js'
import type { HookConsent } from '../../../../2-sandbox/src/index.js'
import type { Moves } from '../undo/moved-names.js'
import type { RunStart } from '../run-start.js'
import type { Entry } from '../commands/git-entries.js'

/** A path that a run changed. */
export interface ChangedPath {
  /** Absolute. */
  path: string
  before: FileState
  after: FileState
}

export interface CommitRequest {
  runId: string
  kind: RunBegin['kind']
  /** After `AI: `. */
  subject: string
  body: readonly string[]
  changed: readonly ChangedPath[]
  /** Absolute; what is in them came along. */
  movedDirectories: Moves
  /** Absolute. */
  movedFiles: Moves
  /** Absent where it is not known: then HEAD and the index count as they are. */
  start?: RunStart
  /** Changed by commands, below the top; they were clean before. */
  byCommands: readonly string[]
  /** Those of them that were not there before, though HEAD may have them: outside of a sparse checkout. */
  madeByCommands: ReadonlySet<string>
  /** Where the contents the states refer to are kept. */
  journal: string
  /** Hooks or git's configuration were changed by the run itself: none is run. */
  skipHooks: boolean
  /** Where hooks run, and whom to ask. Absent: as git runs them. */
  hooks?: HookConsent | undefined
  /**
   * An undo or redo: what HEAD has otherwise than it was before stays uncommitted, as does what is named here (absolute
   * paths). `leftOut` are entries that HEAD gets back without a file, by name: a sparse checkout leaves them out.
   */
  reversal?: { uncommitted: ReadonlySet<string>; leftOut: ReadonlyMap<string, Entry> }
}

export interface CommitOutcome {
  /** Full SHA; absent where there was nothing to commit. */
  commit?: string
  /** Full SHA of the last commit of what was there before, where that was not committed yet. */
  before?: string
  /** Absolute: changed, but left out of the commit of a reversal. */
  uncommitted?: string[]
  /** Absolute: changed, but theirs to commit who work in a repository of its own. */
  nested: string[]
  /** What the user should know. */
  warnings: string[]
}

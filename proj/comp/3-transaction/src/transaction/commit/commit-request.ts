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
  /** Subject behind `AI: `. */
  subject: string
  body: readonly string[]
  changed: readonly ChangedPath[]
  /** Absolute paths; their contents moved along. */
  movedDirectories: Moves
  /** Absolute paths. */
  movedFiles: Moves
  /** Absent where unknown: the present HEAD and index then count as the state before. */
  start?: RunStart
  /** Paths relative to the top that commands changed and that were clean before. */
  byCommands: readonly string[]
  /** Those of `byCommands` that did not exist before, though HEAD may have them (outside a sparse checkout). */
  madeByCommands: ReadonlySet<string>
  /** Directory with the contents that the states refer to. */
  journal: string
  /** The run itself changed hooks or git's configuration: no hooks are run. */
  skipHooks: boolean
  /** Where hooks run, and whom to ask for approval. Absent: git runs them as usual. */
  hooks?: HookConsent | undefined
  /**
   * For an undo or redo: differences of HEAD from the state before stay uncommitted, and so do the `uncommitted`
   * absolute paths. `leftOut`: entries by name that HEAD gets back without a file, since a sparse checkout leaves them
   * out.
   */
  reversal?: { uncommitted: ReadonlySet<string>; leftOut: ReadonlyMap<string, Entry> }
}

export interface CommitOutcome {
  /** Full SHA; absent where there was nothing to commit. */
  commit?: string
  /** Full SHA of the last commit with previously uncommitted work, if there was any. */
  before?: string
  /** Absolute paths: changed, but left out of the commit of an undo or redo. */
  uncommitted?: string[]
  /** Absolute paths in nested repositories, which have to be committed there. */
  nested: string[]
  /** Remarks for the user. */
  warnings: string[]
}

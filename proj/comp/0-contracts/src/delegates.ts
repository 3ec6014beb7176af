import type { FileStore, PathGate } from './files.js'

/**
 * `read`: the delegate works in the root, with verbs that only read. `copy`: it works in a copy of the root, and its
 * changes are proposed afterwards.
 */
export type DelegateMode = 'read' | 'copy'

/** A task that an agent hands to another agent, which sees nothing of its conversation. */
export interface DelegateTask {
  /** Name of the delegate; unique in a conversation. Default: `delegate-1`, `delegate-2`, … */
  name?: string | undefined
  /** The whole prompt of the delegate. */
  task: string
  mode: DelegateMode
  /** Names of the tools it may use. Default: all tools of the calling agent that the mode allows. */
  tools?: readonly string[] | undefined
  /** Most answers of the model; never more than the calling agent has left. */
  maxTurns?: number | undefined
  /** Most tokens, read and written together; checked between two answers. */
  maxTokens?: number | undefined
  maxSeconds?: number | undefined
}

/** Why a delegate ended. `turns`, `tokens`, `time`: its budget was used up, and its answer is what it had by then. */
export type DelegateEnd = 'answer' | 'turns' | 'tokens' | 'time' | 'length' | 'loop'

/** State of a file before or after a change; `undefined` in a change where the file does not exist. */
export interface DelegatedState {
  /** SHA-256 of the content, as hex digits. */
  sha256: string
  /** Whether the file's owner may execute it. */
  executable: boolean
}

/** One file that a delegate changed in its copy. */
export interface DelegatedChange {
  kind: 'create' | 'modify' | 'delete' | 'move'
  /** Relative to the root, with `/`. */
  path: string
  /** For a move: the old path. */
  from?: string
  /** The state that was copied; for a move, that of the file at `from`. */
  before?: DelegatedState
  after?: DelegatedState
  /** The new content; absent for a move. */
  content?: Uint8Array
}

/** The changes of a delegate that wait to be accepted. */
export interface DelegateProposal {
  changes: readonly DelegatedChange[]
  /** A unified diff for people and models; binary files are only named. */
  diff: string
  /** Changes in the copy that the proposal does not contain, one line each. */
  leftOut: readonly string[]
}

export interface DelegateOutcome {
  name: string
  /** The delegate's final answer. */
  answer: string
  ended: DelegateEnd
  turns: number
  /** Read and written together. */
  tokens: number
  /** In the currency of the agent's configured prices; absent where the model has no price. */
  cost?: number
  /** Only in mode `copy`. */
  proposal?: DelegateProposal
  /** Remarks for the caller, one line each. */
  notes: readonly string[]
}

/** The context of a call that starts a delegate. */
export interface DelegateCall {
  readonly gate: PathGate
  readonly files: FileStore
  readonly signal: AbortSignal
  readonly limits: {
    /** Longest timeout that a call may ask for, in milliseconds. */
    readonly maxCommandTimeoutMs: number
    /** Largest file that is read or written whole, in bytes. */
    readonly maxFileBytes: number
  }
  /** Callback for progress, one line at a time. */
  readonly printing?: ((line: string) => void) | undefined
}

/** The port through which verbs reach the delegates of an agent's conversation. */
export interface Delegates {
  /**
   * Runs a delegate to its end, and removes its copy.
   *
   * @throws HermesError `INVALID_PARAMETER` for a name that is taken or an unknown tool, `POLICY_DENIED` where the
   *   budget is used up, `FILE_TOO_LARGE` for a tree too large to copy, `MODEL_FAILED`, `CANCELLED`
   */
  run(task: DelegateTask, call: DelegateCall): Promise<DelegateOutcome>
  /** The latest proposal of a delegate. */
  proposal(name: string): DelegateProposal | undefined
  /** Names of the delegates that proposed changes. */
  readonly proposals: readonly string[]
}

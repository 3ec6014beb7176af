import type { AnyVerb } from '../../../../0-contracts/src/index.js'
import type { ExecutorOptions } from '../../../../5-executor/src/index.js'
import type { AgentEvent } from '../events.js'
import type { AgentOptions, ChatOptions } from '../loop-options.js'

/** A copy of a directory, in which a delegate works. */
export interface CopyPlace {
  /** Canonical, as `original`. */
  root: string
  original: string
}

/** What makes an agent a delegate: what it may do at most, whatever its options say. */
export interface AgentPart {
  allows: (verb: AnyVerb) => boolean
  refuse: NonNullable<ExecutorOptions['refuse']>
  /** Where it works in one: it is shown the paths of the original. */
  copy?: CopyPlace
}

/** As much of an agent as runs a delegate. */
export interface DelegateAgent extends AsyncDisposable {
  run(message: string, options: ChatOptions): AsyncIterable<AgentEvent>
}

export type MakeDelegate = (options: AgentOptions, part: AgentPart) => DelegateAgent

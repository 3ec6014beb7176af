import type { Hermes } from '../../../5-executor/src/index.js'
import type { Conversation } from './conversation.js'
import type { AgentEvent } from './events.js'
import type { ModelClient } from './model/model-client.js'
import type { AgentOptions, CallStyle } from './loop-options.js'
import type { Offer } from './offer.js'
import type { MessageBudget } from './message-budget.js'
import type { TokenMeter } from './model/token-meter.js'
import type { WindowSize } from './model/window-size.js'
import type { CallTracker } from './call-tracker.js'
import type { RepeatedCalls } from './repeated-calls.js'

/** What the parts of the loop work with, for one message of the user. */
export interface LoopParts {
  readonly options: Readonly<AgentOptions>
  /** As the task has it: the server may have refused that of the options. */
  readonly style: CallStyle
  readonly model: string
  readonly client: ModelClient
  readonly window: WindowSize
  readonly hermes: Hermes
  readonly conversation: Conversation
  readonly meter: TokenMeter
  readonly budget: MessageBudget
  /** Tells who listens to the session of the calls of the answer that is being run. */
  readonly track: (tracker: CallTracker | undefined) => void
  /** Finds loops, for one message of the user. */
  readonly repeats: RepeatedCalls
  /** The system prompt and the tools, made once a task. */
  readonly offer: Offer
  /** Blocks in place of function calling, which the server refuses: from now on, and for this model. */
  readonly useBlocks: () => Promise<LoopParts>
  readonly emit: (event: AgentEvent) => void
  readonly signal: AbortSignal
  /** As of `ChatOptions`. */
  readonly steer?: (() => string | undefined) | undefined
}

/** What one answer of the model came to. */
export interface TurnOutcome {
  text: string
  /** It asked for something: the loop goes on. */
  hasCalls: boolean
  /** It ended at its greatest length, in the middle of a text without calls. */
  isCut: boolean
  /** As the server said it: `stop`, `content_filter`, …; absent where the connection was lost. */
  finish?: string
}

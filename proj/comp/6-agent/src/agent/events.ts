import type { ActionResult, FileChange, Rewrite, WorkProgress } from '../../../0-contracts/src/index.js'

/**
 * Tokens and cost; `cost` in the unit of `AgentOptions.price`, absent without a price; a total includes only answers
 * with a price.
 */
export interface TokenCount {
  input: number
  output: number
  /** Input tokens read from the server's cache; absent where it does not report them. */
  cached?: number
  cost?: number
}

/**
 * Why the loop ended. `length`: the model's answers reached their greatest length several times in a row. `loop`: a
 * call had the same result five times.
 */
export type EndReason = 'answer' | 'max_turns' | 'cancelled' | 'length' | 'loop'

/** Events of an agent at work, in order. Read-only calls may run concurrently: their `call_end`s interleave. */
export type AgentEvent =
  | { type: 'turn_start'; turn: number }
  /**
   * A piece of the streaming answer. After `retry` the answer starts anew: discard this turn's pieces, but not its
   * calls.
   */
  | { type: 'text' | 'reasoning'; text: string }
  /** Extensions changed the answer, and it runs as changed; comes before its calls. */
  | { type: 'rewrites'; rewrites: readonly Rewrite[] }
  | { type: 'call_start'; id: string; tool: string; parameters: Record<string, unknown> }
  /** Progress of a long call. */
  | ({ type: 'call_progress' } & WorkProgress)
  /** Latest output of a running command, as in `PrintedLines`; a few times a second at most. */
  | { type: 'call_output'; id: string; lines: readonly string[] }
  /** `changes`: the call's file changes with texts; only with `changeTexts`. */
  | { type: 'call_end'; id: string; tool: string; result: ActionResult; changes?: readonly FileChange[] }
  /**
   * After each answer of the model; `total` is the task's. `context`: approximately how many of `input` are the working
   * context. `estimated` where the API gave no figures.
   */
  | ({ type: 'usage'; total: TokenCount; context?: number; estimated?: true } & TokenCount)
  /** `attempt` counts from 1, the first failure. */
  | { type: 'retry'; attempt: number; waitMs: number; reason: string }
  /** The conversation was shortened: tool outputs replaced by a line, older turns by the summary. */
  | { type: 'context'; pruned: number; summarized: boolean; summary?: string; tokens: number }
  /** Text from `ChatOptions.steer` was passed to the model, after the results of its calls. */
  | { type: 'steer'; text: string }
  /** A line for the user: a failed save, a warning of a run. */
  | { type: 'notice'; text: string }
  | { type: 'end'; reason: EndReason; text: string }

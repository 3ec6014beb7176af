import type { ActionResult, Rewrite, WorkProgress } from '../../../0-contracts/src/index.js'

/** Tokens and cost; `cost` in the unit of `AgentOptions.price`, absent without one; a total is of what has a price. */
export interface TokenCount {
  input: number
  output: number
  /** Those of `input` that the server had read before; absent where it says nothing of that. */
  cached?: number
  cost?: number
}

/**
 * Why a run of the loop ended. `length`: the model's answers were cut off at their greatest length, again and again.
 * `loop`: a call gave the same for the fifth time.
 */
export type EndReason = 'answer' | 'max_turns' | 'cancelled' | 'length' | 'loop'

/** What happens while an agent works, in order. Calls that only read may run at once: their `call_end`s interleave. */
export type AgentEvent =
  | { type: 'turn_start'; turn: number }
  /**
   * A piece as it streams. After `retry` the answer begins anew: what came of the turn before it is void, but for
   * calls.
   */
  | { type: 'text' | 'reasoning'; text: string }
  /** Extensions changed the answer, and it runs as they left it; before its calls. */
  | { type: 'rewrites'; rewrites: readonly Rewrite[] }
  | { type: 'call_start'; id: string; tool: string; parameters: Record<string, unknown> }
  /** Of a call that works long before it can answer. */
  | ({ type: 'call_progress' } & WorkProgress)
  /** Of a command that runs: what it has printed last, as `PrintedLines` has it; a few times a second at most. */
  | { type: 'call_output'; id: string; lines: readonly string[] }
  | { type: 'call_end'; id: string; tool: string; result: ActionResult }
  /**
   * After each answer of the model; `total` of the task. `context`: about how many of `input` are the working context.
   * `estimated` where the API gave no figures.
   */
  | ({ type: 'usage'; total: TokenCount; context?: number; estimated?: true } & TokenCount)
  /** `attempt` counts from 1, the first that failed. */
  | { type: 'retry'; attempt: number; waitMs: number; reason: string }
  /** The conversation was made shorter: tool outputs replaced by a line, older turns by the summary. */
  | { type: 'context'; pruned: number; summarized: boolean; summary?: string; tokens: number }
  /** What `ChatOptions.steer` gave was said to the model, after the results of its calls. */
  | { type: 'steer'; text: string }
  /** What the user should know, one line: a failed save, a warning of a run. */
  | { type: 'notice'; text: string }
  | { type: 'end'; reason: EndReason; text: string }

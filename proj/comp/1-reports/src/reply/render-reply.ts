import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import { renderFeedback } from '../feedback.js'
import type { ReportStyle } from '../report-style.js'
import { DEFAULT_REPLY_TOKENS } from './limits.js'
import { tokensAtMost } from './tokens-at-most.js'

/** What a model was shown before in the same session: a file that it has seen unchanged is named, not repeated. */
export interface SeenContents {
  /** @param key of what was read: the path and the range @returns whether just this text was shown under it */
  has(key: string, text: string): boolean
  add(key: string, text: string): void
}

export interface ReplyOptions extends Pick<ReportStyle, 'fences'> {
  /** Bound of the whole text, frame included. */
  tokens?: number
  seen?: SeenContents
}

/** One text for the model: of each block what it needs next. Contract section 3, 'what a model gets back'. */
export function renderReply(result: ExecutionResult, options: ReplyOptions = {}): string {
  const text = renderFeedback(result, options)
  const { tokens = DEFAULT_REPLY_TOKENS } = options
  return tokensAtMost(text) <= tokens ? text : text.slice(0, tokens)
}

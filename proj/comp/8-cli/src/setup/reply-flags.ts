import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import {
  DEFAULT_REPLY_TOKENS, LEAST_REPLY_TOKENS, renderFeedback, type ReplyOptions,
} from '../../../1-reports/src/index.js'
import type { Hermes } from '../../../5-executor/src/index.js'
import { usageError, type Arguments } from '../arguments.js'

/** @throws HermesError `INVALID_OPTION` for what is no such number, and where it bounds nothing */
export function replyTokens(args: Arguments): number | undefined {
  const given = args.value('reply-tokens')
  if (given === undefined) return undefined
  if (!args.has('reply')) throw usageError('--reply-tokens needs --reply', 'It bounds the text that --reply prints.')
  const tokens = /^\d{1,9}$/.test(given) ? Number(given) : 0
  if (tokens >= LEAST_REPLY_TOKENS) return tokens
  throw usageError(
    `--reply-tokens takes a whole number of at least ${LEAST_REPLY_TOKENS}`,
    `For example --reply-tokens ${DEFAULT_REPLY_TOKENS}.`,
  )
}

/** What the flags ask to be handed back to the model, `undefined` where they ask for none. */
export function textForModel(
  args: Arguments, hermes: Hermes, result: ExecutionResult,
  { runId, ...options }: Pick<ReplyOptions, 'text' | 'fences'> & { runId: string | undefined },
): string | undefined {
  if (args.has('reply')) return hermes.freshReply(result, { ...options, runId, tokens: replyTokens(args) })
  return args.has('feedback') ? renderFeedback(result, options) : undefined
}

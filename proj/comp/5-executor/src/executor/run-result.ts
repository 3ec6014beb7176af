import { HermesError, type ExecutionResult } from '../../../0-contracts/src/index.js'
import { CodeFences } from '../../../1-reading/src/index.js'
import { LEAST_REPLY_TOKENS, type ReplyOptions, type SeenContents } from '../../../1-reports/src/index.js'
import { replyText, type KeptBy } from './call-text.js'

/** What came of an answer, and what to tell the model of it. */
export interface RunResult extends ExecutionResult {
  /**
   * The text to hand back to the model: of each block in order what it needs next, within `tokens`. A file that an
   * earlier reply of the same session and task showed whole is only named while it is unchanged. What is cut, and no
   * call can read on, is kept below `.hermes/runs`, and named. Not enumerable, so that the result as JSON has no more
   * than its fields.
   *
   * @param options.tokens bound of the whole text, counted so that no vocabulary has more; at least 500. Default:
   *   `reply.tokens` of the policy files, else 8,000
   * @throws HermesError `INVALID_OPTION`
   */
  reply(options?: { tokens?: number }): string
}

export interface ReplyParts {
  /** The answer, as far as it is one text. */
  text: string | undefined
  /** Code that was only read as text. Default: that of the text. */
  fences?: ReplyOptions['fences']
  /** Where the caller says nothing. */
  tokens: number | undefined
  mask(text: string): string
  /** What replies of the same conversation have shown. */
  seen(): SeenContents
  /** By which run the whole of what is cut is kept; nothing is without it. */
  keptBy: KeptBy | undefined
}

/** The same result, with its reply. */
export function withReply(
  result: ExecutionResult, { text, fences, tokens: kept, mask, seen, keptBy }: ReplyParts,
): RunResult {
  const shown = withoutOwn(seen)
  const reply: RunResult['reply'] = ({ tokens = kept } = {}) => replyText(result, {
    seen: shown,
    ...(tokens !== undefined && { tokens: checked(tokens) }),
    ...(fences ? { fences } : text !== undefined && { fences: new CodeFences().push(text).end() }),
    // A block that is shown mended is sent as it is shown: with a mask in it that would not be what was meant.
    ...(text !== undefined && mask(text) === text && { text }),
  }, keptBy)
  // Defined, not assigned: an enumerable one would be compared and sent with the fields.
  return Object.defineProperty(result, 'reply', { value: reply }) as RunResult
}

/** Whoever asks twice for the reply of one run is given the same text twice. */
function withoutOwn(seen: ReplyParts['seen']): SeenContents {
  const own = new Set<string>()
  return {
    has: (key, text) => !own.has(key) && seen().has(key, text),
    add(key, text) {
      own.add(key)
      seen().add(key, text)
    },
  }
}

function checked(tokens: unknown): number {
  if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= LEAST_REPLY_TOKENS) return tokens
  throw new HermesError('INVALID_OPTION', `Invalid option tokens: ${String(tokens)}`, {
    hint: `Give a whole number of tokens, ${LEAST_REPLY_TOKENS} or more.`,
  })
}

import { usageError } from '../../../0-text/src/index.js'
import type { ExecutionResult } from '../../../0-contracts/src/index.js'
import { CodeFences } from '../../../1-reading/src/index.js'
import { LEAST_REPLY_TOKENS, type ReplyOptions, type SeenContents } from '../../../1-reports/src/index.js'
import { replyText, type KeptBy } from './call-text.js'
import type { CallbackFailure } from './handlers/callbacks.js'

/** The result of an answer, and the text to return to the model. */
export interface RunResult extends ExecutionResult {
  /**
   * The text to return to the model: for each block in order what it needs next, within `tokens`. A file that an
   * earlier reply of the same session and task showed whole is only named while unchanged. Data that is cut, and that
   * no call can read, is kept below `.hermes/runs` and named. Not enumerable, so that the result's JSON has only its
   * fields.
   *
   * @param options.tokens limit of the whole text, counted so that no model's tokenizer yields more; at least 500.
   * Default: `reply.tokens` of the policy files, else 8,000
   * @throws HermesError `INVALID_OPTION`
   */
  reply(options?: { tokens?: number | undefined }): string
  /** Errors thrown by the caller's own functions (`approve`, `ui`, `onEvent`, …). Not enumerable either. */
  readonly thrown: readonly CallbackFailure[]
}

export interface ReplyParts {
  /** The answer, if it is a single text. */
  text: string | undefined
  /** Fences that were only read as text. Default: those of `text`. */
  fences?: ReplyOptions['fences']
  /** Default limit of `reply`, where the caller gives none. */
  tokens: number | undefined
  mask(text: string): string
  /** Contents that earlier replies of the same conversation have shown. */
  seen(): SeenContents
  /** The run that keeps data that is cut; without it nothing is kept. */
  keptBy: KeptBy | undefined
}

/** The result with its `reply` and `thrown`. */
export function withReply(
  result: ExecutionResult, { text, fences, tokens: kept, mask, seen, keptBy }: ReplyParts,
  thrown: readonly CallbackFailure[] = [],
): RunResult {
  const shown = withoutOwn(seen)
  const reply: RunResult['reply'] = ({ tokens = kept } = {}) => replyText(result, {
    seen: shown,
    ...(tokens !== undefined && { tokens: checked(tokens) }),
    ...(fences ? { fences } : text !== undefined && { fences: new CodeFences().push(text).end() }),
    // A corrected block is shown for the model to send again: with a mask in place of a secret it would be wrong.
    ...(text !== undefined && mask(text) === text && { text }),
  }, keptBy)
  // Defined rather than assigned: enumerable properties would be compared and serialised with the fields.
  return Object.defineProperties(result, { reply: { value: reply }, thrown: { value: thrown } }) as RunResult
}

/** Hides what this run's own reply showed, so that a second `reply()` returns the same text. */
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
  throw usageError(
    `Invalid option tokens: ${String(tokens)}`, `Give a whole number of tokens, ${LEAST_REPLY_TOKENS} or more.`,
  )
}

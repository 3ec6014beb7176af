import * as v from 'valibot'
import { HermesError, SANDBOX_ACCESS } from '../../0-contracts/src/index.js'

/** Longest text of a block that a page may send, in UTF-16 units. */
export const MAX_EDIT_LENGTH = 2 * 1024 * 1024
/** Escaped, a text takes up to six bytes a unit; what is longer is refused before it is read. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024
const MAX_ANSWER_LENGTH = 64 * 1024

const key = v.pipe(v.string(), v.maxLength(12), v.regex(/^[1-9]\d*$/))
const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000))

/**
 * What a page can ask for: it names blocks and prompts, and sends edited text and choices. Nothing of it says where or
 * how a run is made; that are the user's flags and policy alone.
 */
const MESSAGE = v.variant('type', [
  v.strictObject({ type: v.literal('tick'), keys: v.pipe(v.array(key), v.maxLength(100_000)), on: v.boolean() }),
  v.strictObject({ type: v.literal('edit'), key, text: v.pipe(v.string(), v.maxLength(MAX_EDIT_LENGTH)) }),
  v.strictObject({ type: v.literal('mend'), key }),
  v.strictObject({ type: v.literal('revert'), key }),
  v.strictObject({ type: v.literal('source'), key }),
  /** `ask`: which of the block's, counted from 0. `about`: what was shown there, so that nothing else is approved. */
  v.strictObject({
    type: v.literal('approve'), key, ask: index,
    about: v.strictObject({
      reason: v.string(), command: v.optional(v.string()), exact: v.optional(v.string()),
    }),
    on: v.boolean(),
  }),
  v.strictObject({ type: v.literal('refresh') }),
  /** `revision`: of what the page shows. */
  v.strictObject({ type: v.literal('run'), revision: v.pipe(v.number(), v.integer()) }),
  v.strictObject({
    type: v.literal('answer'), prompt: v.pipe(v.string(), v.maxLength(12)),
    answer: v.union([
      v.boolean(), v.pipe(v.string(), v.maxLength(MAX_ANSWER_LENGTH)),
      v.strictObject({ answer: v.picklist(['once', 'session']), access: v.picklist(SANDBOX_ACCESS) }),
    ]),
  }),
  v.strictObject({ type: v.literal('cancel') }),
  v.strictObject({ type: v.literal('undo') }),
  /** Answered with `text`: what to hand back to the model about the run. */
  v.strictObject({ type: v.literal('reply') }),
  v.strictObject({ type: v.literal('finish') }),
])

export type ReviewMessage = v.InferOutput<typeof MESSAGE>

/** @throws HermesError `INVALID_PARAMETER` for anything that is no message */
export function readMessage(body: Uint8Array): ReviewMessage {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (error) {
    throw new HermesError('INVALID_PARAMETER', 'The message is not JSON in UTF-8', {
      cause: error, hint: 'Reload the page.',
    })
  }
  const read = v.safeParse(MESSAGE, value)
  if (read.success) return read.output
  const [{ message }] = read.issues
  throw new HermesError('INVALID_PARAMETER', `No message of the review page: ${message}`, { hint: 'Reload the page.' })
}

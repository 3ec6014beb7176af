import type { ActionResult, ParseError } from '../../0-contracts/src/index.js'
import { defined } from './fields.js'
import type { RecordedOutcome, RecordedResult } from './transcript-model.js'

/** The outcome of one block, whether it ran or could not be read. */
export interface BlockOutcome extends RecordedOutcome {
  blockId: string
  /** `''` where the block did not parse. */
  action: string
  /** As written; `undefined` where the block did not parse. */
  params: Record<string, unknown> | undefined
  startLine: number
}

/**
 * The outcomes of all blocks of an answer, in text order. A block that did not parse has failed with its first error;
 * errors without a block are left out.
 */
export function blockOutcomes(results: readonly ActionResult[], errors: readonly ParseError[]): BlockOutcome[] {
  const failed = new Map<string, BlockOutcome>()
  for (const { blockId, startLine, error } of errors) {
    const key = `${startLine} ${blockId}`
    if (blockId === undefined || failed.has(key)) continue
    const outcome = outcomeFields({ success: false, error: error.message, code: error.code, hint: error.hint })
    failed.set(key, { blockId, action: '', params: undefined, startLine, ...outcome })
  }
  const left = [...failed.values()].sort((a, b) => a.startLine - b.startLine)
  // Stable sort: several of one line stay in the order they ran.
  const ran = [...results].sort((a, b) => a.startLine - b.startLine).flatMap((result): BlockOutcome[] => {
    const { blockId, action, params, startLine, ...rest } = result
    const until = left.findIndex((blockOutcome) => !isBefore(blockOutcome, result))
    return [
      ...left.splice(0, until === -1 ? left.length : until),
      { blockId, action, params, startLine, ...outcomeFields(rest) },
    ]
  })
  return [...ran, ...left]
}

/** Whether one block precedes another; on the same line, their positional ids decide. */
export function isBefore(
  block: Pick<BlockOutcome, 'blockId' | 'startLine'>, other: Pick<BlockOutcome, 'blockId' | 'startLine'>,
): boolean {
  if (block.startLine !== other.startLine) return block.startLine < other.startLine
  const [a, b] = [block, other].map(({ blockId }) => Number(/^b(\d+)$/.exec(blockId)?.[1] ?? NaN))
  return a !== undefined && b !== undefined && a < b
}

/** The fields of a recorded result. */
export function outcomeFields(
  { success, error, code, hint, data }: { [Field in keyof RecordedOutcome]: RecordedOutcome[Field] | undefined },
): RecordedOutcome {
  return defined<RecordedOutcome>({ success, error, code, hint, data })
}

/** The recorded form of a result of hermes. */
export function recordedOutcome(outcome: RecordedOutcome): RecordedResult {
  const fields = outcomeFields(outcome)
  return { text: JSON.stringify(fields), isError: !fields.success, outcome: fields }
}

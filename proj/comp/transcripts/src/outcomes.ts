import type { ActionResult, ParseError } from '../../contracts/src/index.js'
import type { RecordedOutcome, RecordedResult } from './model.js'

/** What became of one block, be it run or not read at all. */
export interface BlockOutcome extends RecordedOutcome {
  blockId: string
  /** `''` where the block did not parse. */
  action: string
  /** As written; `undefined` where the block did not parse. */
  params: Record<string, unknown> | undefined
  startLine: number
}

/**
 * One outcome for each block of an answer, in text order. A block that did not parse has failed with its first error;
 * errors that belong to no block are left out.
 */
export function blockOutcomes(results: readonly ActionResult[], errors: readonly ParseError[]): BlockOutcome[] {
  const failed = new Map<number, BlockOutcome>()
  for (const { blockId, startLine, error } of errors) {
    if (blockId === undefined || failed.has(startLine)) continue
    const { code, message, hint } = error
    failed.set(startLine, {
      blockId, action: '', params: undefined, startLine, success: false, error: message, code, ...(hint !== undefined && { hint }),
    })
  }
  const ran = results.map(({ blockId, action, params, startLine, ...rest }) => (
    { blockId, action, params, startLine, ...outcomeFields(rest) }
  ))
  return [...ran, ...failed.values()].sort((a, b) => a.startLine - b.startLine)
}

/** The fields that a recorded result has. */
export function outcomeFields({ success, error, code, hint, data }: RecordedOutcome): RecordedOutcome {
  return {
    success,
    ...(error !== undefined && { error }),
    ...(code !== undefined && { code }),
    ...(hint !== undefined && { hint }),
    ...(data !== undefined && { data }),
  }
}

/** A result in hermes' own form as a record has it. */
export function recordedOutcome(outcome: RecordedOutcome): RecordedResult {
  const fields = outcomeFields(outcome)
  return { text: JSON.stringify(fields), isError: !fields.success, outcome: fields }
}

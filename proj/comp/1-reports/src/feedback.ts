import type { ActionResult, ExecutionResult, ParseError } from '../../0-contracts/src/index.js'
import {
  blockLine, countLine, failureFrame, hintLines, INDENT, inert, labelled, parseErrorFrame,
} from './block-frames.js'
import { BLOCK_EXAMPLES, LIVE_PLACES } from './live-block-help.js'
import { commandOutput } from './command-output.js'
import { hookFeedback, outputFrame } from './feedback-hooks.js'
import { fixLines } from './fix-lines.js'
import type { ReportStyle } from './report-style.js'
import { rewriteFeedback } from './rewrites.js'
import { rolledBackFeedback } from './rolled-back.js'
import { oneLine } from './safe-text.js'
import { isOnlyLikely, skippedFeedback, wasDoneBefore } from './skipped-lines.js'
import { failedHooks, tallyOf } from './tally.js'

/**
 * The feedback for the model: failures, parse errors and skipped blocks with what to do about each; of successes only
 * the count and warnings. Deterministic.
 *
 * @param fences of the text, for the message where no block was found
 */
export function renderFeedback(result: ExecutionResult, { fences }: Pick<ReportStyle, 'fences'> = {}): string {
  const parts = [
    countLine(result, fences),
    ...(result.fatalError === undefined ? [] : [`The run was stopped: ${oneLine(result.fatalError)}`]),
    ...rolledBackFeedback(result),
    ...rewriteFeedback(result),
    ...result.results.filter(({ success }) => !success).map((each) => failureText(each, result.results)),
    ...result.parseErrors.map(parseError),
    ...hookFeedback(result),
    ...result.results.filter(({ success, warned }) => success && warned).map(warning),
    ...skippedFeedback(result.skipped),
    ...advice(result),
  ]
  return `${parts.join('\n\n').split('\n').map(inert).join('\n')}\n`
}

/** A failed block: name, reason, what to write instead, and the end of its command's output. */
export function failureText(result: ActionResult, all: readonly ActionResult[]): string {
  return [...failureFrame(result, all), ...labelled('Fix', fixLines(result)), ...outputLines(result)].join('\n')
}

function warning(result: ActionResult): string {
  return [blockLine('WARNING: done, but look at', result), ...hintLines(result.hint)].join('\n')
}

function parseError(error: ParseError, index: number, all: readonly ParseError[]): string {
  return [...parseErrorFrame(error, index, all), ...labelled('Fix', fixLines(error.error))].join('\n')
}

function outputLines(result: ActionResult): string[] {
  const output = commandOutput(result)
  if (!output) return []
  return (['stdout', 'stderr'] as const).flatMap(name => outputFrame(name, output[name]))
}

const AGAIN = 'Send only the blocks listed here again, mended as the hints say.'

/**
 * What to send next.
 *
 * @param only names the blocks to send again, where others have succeeded
 */
export function advice(result: ExecutionResult, only = AGAIN): string[] {
  const { total, succeeded, otherErrors } = tallyOf(result)
  const quoted = result.skipped.filter((block) => !isOnlyLikely(block) && !wasDoneBefore(block))
  const skipped = quoted.length + (result.omitted?.skipped ?? 0)
  const live = `If a skipped block was meant to run, send it ${LIVE_PLACES}.`
  if (total === 0 && !otherErrors) {
    if (result.fatalError !== undefined) return []
    return [[
      `A block runs ${LIVE_PLACES}, in one of these two shapes:`, '',
      ...BLOCK_EXAMPLES.map(line => (line === '' ? '' : `${INDENT}${line}`)),
    ].join('\n')]
  }
  if (result.success) return skipped > 0 ? [live] : []
  const hooks = failedHooks(result)
  const isAllDone = total > 0 && succeeded === total && !otherErrors && !result.rolledBack
  if (isAllDone) {
    const done = 'The blocks are done: do not repeat them.'
    const mend = hooks.length > 0 ? `${done} Send blocks that mend what the hooks say.` : done
    return [skipped > 0 ? `${mend}\n${live}` : mend]
  }
  const again = succeeded === 0 || result.dryRun || result.rolledBack
    ? 'Send the blocks again, mended as the hints say.'
    : `${only} Those that succeeded are done: do not repeat them.`
  return [skipped > 0 ? `${again}\n${live}` : again]
}

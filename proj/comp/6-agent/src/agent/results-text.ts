import type { ToolAnswer } from '../adapters/index.js'
import type { ActionResult, ExecutionResult } from '../../../0-contracts/src/index.js'
import { renderFeedback } from '../../../1-reports/src/index.js'
import type { CallState } from './conversation.js'
import { RESULTS_HEAD } from './results-head.js'

const FINAL = 'Go on. When all is done, answer without blocks.'

/** How the results of an answer are rendered. */
export interface DataTeller {
  /** Whether to show the data of a result; not for writes. */
  tellsData: (result: ActionResult) => boolean
  /** Renders a result within the limit of one call. */
  tell: (result: ActionResult) => ToolAnswer
}

/** What cut an answer short. */
export type Interruption = 'length' | 'connection' | 'cancelled' | 'process'

const WHY: Readonly<Record<Interruption, string>> = {
  length: 'Your answer was cut off at its greatest length. Blocks of which the end is missing did not run: send '
    + 'those again, in shorter answers if need be.',
  connection: 'Your answer broke off here: the connection was lost. What is told of below has run; nothing else of it '
    + 'has, and nothing that came after is known. Go on from there, and do not repeat what is done.',
  cancelled: 'The user stopped you here. What is told of below has run; nothing else of it has.',
  process: 'Your answer broke off here: the program was ended. What is told of below has run; nothing else of it has, '
    + 'and nothing that came after is known. Go on from there, and do not repeat what is done.',
}

/**
 * The text for the model after an answer with blocks: the feedback of `hermes apply --feedback` (failures, with what to
 * do), and the results of successful blocks as `<tool_response>` sections.
 */
export function resultsText(
  result: ExecutionResult, { tellsData, tell }: DataTeller, interruption?: Interruption,
): string {
  const told = result.results.filter((each) => each.success && (each.hint !== undefined || tellsData(each)))
  return [
    RESULTS_HEAD,
    ...(interruption === undefined ? [] : [WHY[interruption]]),
    renderFeedback(result).trimEnd(),
    ...told.map((each) => section(each.blockId, tellsData(each) ? each : withoutData(each), tell)),
    ...(result.success && interruption === undefined ? [FINAL] : []),
  ].join('\n\n')
}

/** The same for an answer whose process ended, from the recorded calls. */
export function recoveredText(calls: Iterable<CallState>, { tellsData, tell }: DataTeller): string {
  const told = [...calls].map(({ call: { id, tool: action }, isStarted, result }) => {
    if (!result) return section(id, { ...BLANK, action, ...(isStarted ? UNKNOWN : NOT_RUN) }, tell)
    const isTold = !result.success || tellsData(result)
    return section(id, { ...(isTold ? result : withoutData(result)), action }, tell)
  })
  return [RESULTS_HEAD, WHY.process, ...told].join('\n\n')
}

/** Result of a call that was running when the process ended. */
export const UNKNOWN: Pick<ActionResult, 'success' | 'error' | 'code' | 'hint'> = {
  success: false, code: 'INTERRUPTED_RUN', error: 'Unknown outcome: the program was ended while this ran',
  hint: 'It may have been done, wholly or in part. Look at the present state first; do it again only where it was not '
    + 'done.',
}

/** Result of a call that had not started. */
export const NOT_RUN: Pick<ActionResult, 'success' | 'error' | 'code' | 'hint'> = {
  success: false, code: 'CANCELLED', error: 'Not run: the program was ended before its turn',
  hint: 'Send it again if it is still wanted.',
}

function section(id: string, result: ActionResult, tell: DataTeller['tell']): string {
  return `<tool_response>\n${JSON.stringify({ id, name: result.action, ...tell(result) })}\n</tool_response>`
}

function withoutData(result: ActionResult): ActionResult {
  return { ...result, data: undefined }
}

const BLANK: ActionResult = {
  seq: 0, blockId: '', action: '', params: {}, success: false, startLine: 0, endLine: 0, durationMs: 0,
}

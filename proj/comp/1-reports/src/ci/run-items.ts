import type { ActionResult, ExecutionResult, HookResult, ParseError } from '../../../0-contracts/src/index.js'
import { actionWords, subjectOfResult } from '../called.js'
import { parseErrorFrame } from '../block-frames.js'
import { failureText } from '../feedback.js'
import { hookFrame } from '../feedback-hooks.js'
import { oneLine } from '../safe-text.js'
import type { CiItem } from './ci-item.js'

/** Codes of blocks that were not started, since the run was cancelled or a hook stopped it. */
const NOT_RUN = new Set(['CANCELLED', 'HOOK_FAILED'])

/**
 * Converts a run to CI items: one for each block, parse error and hook, and one for what stopped it.
 *
 * @param file from which the answer was read, as the user named it
 */
export function runItems(result: ExecutionResult, file: string | undefined): CiItem[] {
  const { results, parseErrors, hooks = [], fatalError } = result
  return [
    ...results.map((candidate) => block(candidate, results, file)),
    ...parseErrors.map((error, index) => unread(error, index, parseErrors, file)),
    ...hooks.filter(({ planned }) => planned !== true).map(hook),
    ...(fatalError === undefined ? [] : [{
      outcome: 'error' as const, name: 'run', title: 'the run was stopped', file, durationMs: 0, code: 'RUN_STOPPED',
      message: oneLine(fatalError),
    }]),
  ]
}

function block(result: ActionResult, all: readonly ActionResult[], file: string | undefined): CiItem {
  const { blockId, success, warned, hint, code, error, durationMs } = result
  const about = [oneLine(actionWords(result), 80), subjectOfResult(result)].filter((part) => part !== '').join(' ')
  const item = { name: `${oneLine(blockId, 80)}: ${about}`, ...placeOf(result, file), durationMs }
  if (success) return { ...item, outcome: 'passed', ...(warned && hint !== undefined && { notes: [hint] }) }
  const message = oneLine(error ?? 'failed', 1000)
  const outcome = code !== undefined && NOT_RUN.has(code) ? 'skipped' : 'failed'
  return { ...item, outcome, code, message, details: failureText(result, all) }
}

function unread(parseError: ParseError, index: number, all: readonly ParseError[], file: string | undefined): CiItem {
  const { blockId, error, startLine, endLine, runId } = parseError
  const place = placeOf({ startLine: error.line, endLine: Math.max(error.line, endLine), runId }, file)
  return {
    outcome: 'error', name: blockId === undefined ? `line ${startLine}` : oneLine(blockId, 80), ...place,
    durationMs: 0, code: error.code,
    message: oneLine(error.message, 1000), details: parseErrorFrame(parseError, index, all).join('\n'),
  }
}

/** For a continued run (`--continue`), lines may refer to the earlier answer, which is another file. */
function placeOf(
  { runId, startLine: line, endLine }: { runId?: string | undefined; startLine: number; endLine: number },
  file: string | undefined,
): Pick<CiItem, 'file' | 'line' | 'endLine'> {
  return runId === undefined ? { file, line, endLine } : {}
}

function hook(hookResult: HookResult): CiItem {
  const { name, on, success, ignored, code, error, durationMs } = hookResult
  const item = { name: `hook ${oneLine(name, 80)} (${on})`, durationMs }
  const message = oneLine(error ?? 'failed', 1000)
  if (success) return { ...item, outcome: 'passed' }
  if (ignored === true) return { ...item, outcome: 'passed', notes: [message] }
  return { ...item, outcome: 'failed', code, message, details: hookFrame(hookResult).join('\n') }
}

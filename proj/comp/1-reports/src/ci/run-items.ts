import type { ActionResult, ExecutionResult, HookResult, ParseError } from '../../../0-contracts/src/index.js'
import { actionWords, subjectOfResult } from '../called.js'
import { parseErrorFrame } from '../block-frames.js'
import { failureText } from '../feedback.js'
import { hookFrame } from '../feedback-hooks.js'
import { oneLine } from '../safe-text.js'
import type { CiItem } from './ci-item.js'

/** Of blocks: it was not begun, since the run was cancelled or a hook stopped it. */
const NOT_RUN = new Set(['CANCELLED', 'HOOK_FAILED'])

/**
 * A run for CI: an item for each block, each text that did not parse, each hook that ran, and one for what stopped it.
 *
 * @param file that the answer was read from, as the user named it
 */
export function runItems(result: ExecutionResult, file: string | undefined): CiItem[] {
  const { results, parseErrors, hooks = [], fatalError } = result
  return [
    ...results.map((one) => block(one, results, file)),
    ...parseErrors.map((error, index) => unread(error, index, parseErrors, file)),
    ...hooks.filter(({ planned }) => planned !== true).map(hook),
    ...(fatalError === undefined ? [] : [{
      outcome: 'error' as const, name: 'run', file, durationMs: 0, code: 'RUN_STOPPED', message: oneLine(fatalError),
    }]),
  ]
}

function block(one: ActionResult, all: readonly ActionResult[], file: string | undefined): CiItem {
  const { blockId, success, warned, hint, code, error, startLine, endLine, durationMs } = one
  const about = [oneLine(actionWords(one), 80), subjectOfResult(one)].filter((part) => part !== '').join(' ')
  const item = { name: `${oneLine(blockId, 80)}: ${about}`, file, line: startLine, endLine, durationMs }
  if (success) return { ...item, outcome: 'passed', ...(warned && hint !== undefined && { notes: [hint] }) }
  const message = oneLine(error ?? 'failed', 1000)
  const outcome = code !== undefined && NOT_RUN.has(code) ? 'skipped' : 'failed'
  return { ...item, outcome, code, message, details: failureText(one, all) }
}

function unread(found: ParseError, index: number, all: readonly ParseError[], file: string | undefined): CiItem {
  const { blockId, error, startLine, endLine } = found
  return {
    outcome: 'error', name: blockId === undefined ? `line ${startLine}` : oneLine(blockId, 80), file,
    line: error.line, endLine: Math.max(error.line, endLine), durationMs: 0, code: error.code,
    message: oneLine(error.message, 1000), details: parseErrorFrame(found, index, all).join('\n'),
  }
}

function hook(one: HookResult): CiItem {
  const { name, on, success, ignored, code, error, durationMs } = one
  const item = { name: `hook ${oneLine(name, 80)} (${on})`, durationMs }
  const message = oneLine(error ?? 'failed', 1000)
  if (success) return { ...item, outcome: 'passed' }
  if (ignored === true) return { ...item, outcome: 'passed', notes: [message] }
  return { ...item, outcome: 'failed', code, message, details: hookFrame(one).join('\n') }
}

import type { ActionResult, ExecutionResult, ParseError } from '../../0-contracts/src/index.js'
import { fixLines } from './fix-lines.js'
import { failedHooks, hookFeedback } from './feedback-hooks.js'
import { BLOCK_SHAPES, LIVE_PLACES } from './block-shapes.js'
import { actionWords, subjectOfResult } from './called.js'
import { commandOutput } from './command-output.js'
import { fencesAsText, type FencesFound } from './nothing-found.js'
import { lineRange, plural } from './quantities.js'
import type { ReportStyle } from './report-style.js'
import { rolledBackFeedback } from './rolled-back.js'
import { oneLine, safeLines, tail } from './safe-text.js'
import { isOnlyLikely, skippedFeedback } from './skipped-lines.js'
import { sourceExcerpt } from './source-excerpt.js'
import { tallyOf } from './tally.js'

/** Whatever comes from files, models and commands stands this deep, where nothing of it is live. */
const INDENT = '    '
const OUTPUT_LINES = 40

/**
 * The text to hand back to the model (contract section 3, 'hints'): failures, parse errors and skipped blocks with
 * what to do about each, and of what succeeded only the count and warnings. The same result gives the same text.
 *
 * @param fences of the text, for the message where nothing was found
 */
export function renderFeedback(result: ExecutionResult, { fences }: Pick<ReportStyle, 'fences'> = {}): string {
  const parts = [
    countLine(result, fences),
    ...(result.fatalError === undefined ? [] : [`The run was stopped: ${oneLine(result.fatalError)}`]),
    ...rolledBackFeedback(result),
    ...result.results.filter(({ success }) => !success).map((each) => failure(each, result.results)),
    ...result.parseErrors.map(parseError),
    ...hookFeedback(result),
    ...result.results.filter(({ success, warned }) => success && warned).map(warning),
    ...skippedFeedback(result.skipped),
    ...advice(result),
  ]
  return `${parts.join('\n\n').split('\n').map(inert).join('\n')}\n`
}

/** A closing think tag first or last on a line would turn what stands around it live or into thinking. */
function inert(line: string): string {
  return line.replace(/^(\s*)(?=<\/(?:think|thinking|reasoning)>)/, '$1| ')
    .replace(/(<\/(?:think|thinking|reasoning)>)\s*$/, '$1 |')
}

function countLine(result: ExecutionResult, fences: FencesFound | undefined): string {
  const { total, succeeded, failed, unparsed, skipped, otherErrors } = tallyOf(result)
  if (total === 0 && !otherErrors) {
    if (result.fatalError !== undefined) return 'No block was run.'
    const found = skipped === 0 ? 'No blocks found.' : `No live blocks found; ${skipped} skipped.`
    return [found, ...fencesAsText(fences)].join(' ')
  }
  const hooks = failedHooks(result).length
  const others = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(unparsed > 0 ? [`${unparsed} did not parse`] : []),
    ...(otherErrors ? [plural(result.parseErrors.length, 'parse error')] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(hooks > 0 ? [`${plural(hooks, 'hook')} failed`] : []),
  ]
  const count = [doneWords(succeeded, total, result.dryRun), ...others].join(', ')
  return result.dryRun ? `${count}. This was a dry run: nothing was changed, no command was started.` : `${count}.`
}

function doneWords(succeeded: number, total: number, dryRun = false): string {
  if (total === 0) return 'No live blocks'
  const verb = dryRun ? 'would succeed' : 'succeeded'
  if (succeeded < total) return `${succeeded} of ${plural(total, 'block')} ${verb}`
  return total === 1 ? `The block ${verb}` : `All ${plural(total, 'block')} ${verb}`
}

function failure(result: ActionResult, all: readonly ActionResult[]): string {
  const { code, error, hint } = result
  return [
    blockLine('FAILED', result),
    `${INDENT}${coded(code, error)}`,
    ...hintLines(hint),
    ...sameFile(result, all),
    ...outputLines(result),
  ].join('\n')
}

function warning(result: ActionResult): string {
  return [blockLine('WARNING: done, but look at', result), ...hintLines(result.hint)].join('\n')
}

function blockLine(verdict: string, result: ActionResult): string {
  const { blockId, startLine, endLine } = result
  const what = [oneLine(actionWords(result), 80), subjectOfResult(result)].filter(part => part !== '').join(' ')
  const place = lineRange(startLine, endLine)
  return `${verdict} block ${oneLine(blockId, 40)} (${place})${what === '' ? '' : `: ${what}`}`
}

const MOST_NAMED = 20

/** Which other changes of the file a failed one was to change are made: only this one is to be sent again. */
function sameFile(result: ActionResult, all: readonly ActionResult[]): string[] {
  const params = paramsOf(result)
  const { path } = params
  if (typeof path !== 'string' || !('old_text' in params)) return []
  const others = all.filter((each) => each.success && each.seq !== result.seq && paramsOf(each)['path'] === path)
  if (others.length === 0) return []
  const names = others.slice(0, MOST_NAMED).map(({ blockId }) => oneLine(blockId, 40)).join(', ')
  const more = others.length > MOST_NAMED ? ` and ${others.length - MOST_NAMED} more` : ''
  return [`${INDENT}Of the same file succeeded: ${names}${more}.`]
}

/** Of what ran. */
function paramsOf({ params, ranAs }: ActionResult): Record<string, unknown> {
  return ranAs?.[0]?.params ?? params
}

/** Messages of the system begin with their code already. */
function coded(code = 'FAILED', error = 'failed'): string {
  const message = oneLine(error, 1000)
  return message.startsWith(`${code}:`) || message.endsWith(`(${code})`) ? message : `${oneLine(code)}: ${message}`
}

function parseError(found: ParseError, index: number, all: readonly ParseError[]): string {
  const { blockId, error } = found
  const above = all[index - 1]
  // Errors of one block often have one hint.
  const isSaid = above?.startLine === found.startLine && above.error.hint === error.hint
  const place = `line ${error.line}, column ${error.column}`
  return [
    blockId === undefined ? `NOT PARSED at ${place}` : `NOT PARSED block ${oneLine(blockId, 40)} at ${place}`,
    `${INDENT}${oneLine(error.code)}: ${oneLine(error.message, 1000)}`,
    ...sourceExcerpt(found).map(line => `${INDENT}| ${line}`),
    ...(isSaid ? [] : hintLines(error.hint)),
    ...labelled('Fix', fixLines(error)),
  ].join('\n')
}

function hintLines(hint: string | undefined): string[] {
  return hint === undefined ? [] : labelled('Hint', safeLines(hint, 2000))
}

function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${INDENT}${index === 0 ? `${label}: ` : '  '}${line}`)
}

function outputLines(result: ActionResult): string[] {
  const output = commandOutput(result)
  if (!output) return []
  return (['stdout', 'stderr'] as const).flatMap(name => {
    const { lines, omitted, cut } = tail(output[name], OUTPUT_LINES)
    if (lines.length === 0) return []
    const left = cut ? 'the output before them is left out' : `${omitted} before them left out`
    const end = omitted > 0 ? ` (the last ${plural(lines.length, 'line')}, ${left})` : ''
    return [`${INDENT}${name}${end}:`, ...lines.map(line => `${INDENT}| ${line}`)]
  })
}

/** What to send now. */
function advice(result: ExecutionResult): string[] {
  const { total, succeeded, otherErrors } = tallyOf(result)
  const skipped = result.skipped.filter((block) => !isOnlyLikely(block)).length + (result.omitted?.skipped ?? 0)
  const live = `If a skipped block was meant to run, send it ${LIVE_PLACES}.`
  if (total === 0 && !otherErrors) {
    if (result.fatalError !== undefined) return []
    return [[
      `A block runs ${LIVE_PLACES}, in one of these two shapes:`, '',
      ...BLOCK_SHAPES.map(line => (line === '' ? '' : `${INDENT}${line}`)),
    ].join('\n')]
  }
  if (result.success) return skipped > 0 ? [live] : []
  const hooks = failedHooks(result)
  const isOnlyHooks = hooks.length > 0 && total > 0 && succeeded === total && result.fatalError === undefined
    && !result.rolledBack
  if (isOnlyHooks) {
    const mend = 'The blocks are done: do not repeat them. Send blocks that mend what the hooks say.'
    return [skipped > 0 ? `${mend}\n${live}` : mend]
  }
  const again = succeeded === 0 || result.dryRun || result.rolledBack
    ? 'Send the blocks again, mended as the hints say.'
    : 'Send only the blocks listed here again, mended as the hints say. '
      + 'Those that succeeded are done: do not repeat them.'
  return [skipped > 0 ? `${again}\n${live}` : again]
}

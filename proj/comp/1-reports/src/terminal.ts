import {
  CANCELLED_BEFORE_START, STOPPED_BEFORE_START, type ActionResult, type ExecutionResult, type FileChange,
  type HermesEvent,
} from '../../0-contracts/src/index.js'
import { actionColumn, idColumn } from './block-columns.js'
import { actionWords, subjectOfResult } from './called.js'
import { commandOutput } from './command-output.js'
import { createPalette, type Palette } from './palette.js'
import { lineRange, plural, seconds } from './quantities.js'
import type { ReportStyle } from './report-style.js'
import { rewriteLine } from './rewrites.js'
import { rolledBackLine } from './rolled-back.js'
import { oneLine } from './safe-text.js'
import { tallyOf } from './tally.js'
import { hookCount, hookLines } from './terminal-hooks.js'
import {
  fixLinesBelow, hintLines, INDENT, joinLines, nothingLive, outputTail, parseErrorLines, skippedLine,
} from './terminal-lines.js'
import { whatChanged } from './what-changed.js'

/** Blocks that are named. */
const MOST_NAMED = 8

/** Most lines to show of each output stream of a command. */
const OUTPUT_LINES = { success: 5, failure: 12 }

/**
 * Renders one event for people: a line for a block with details below, and a summary at the end. Stateless, so that
 * events can be printed during the run; ends in a line break unless empty.
 */
export function renderTerminal(event: HermesEvent, style: ReportStyle = {}): string {
  const palette = createPalette(style.colour ?? false)
  switch (event.type) {
    case 'block-start':
    case 'hook-start': return ''
    case 'hook-end': return joinLines(hookLines(event.result, style, palette))
    case 'block-end': return joinLines(blockLines(event.result, event.changes, style, palette))
    case 'parse-error': return joinLines(parseErrorLines(event.error, style, palette))
    case 'skipped': return joinLines([skippedLine(event.block, style, palette)])
    case 'end': return joinLines([...gapAfter(event.result), ...summaryLines(event.result, style, palette)])
  }
}

function blockLines(
  result: ActionResult, changes: readonly FileChange[], style: ReportStyle, palette: Palette,
): string[] {
  const { success, code = '', startLine, endLine } = result
  const subject = subjectOfResult(result, style.roots)
  const what = success ? whatChanged(result, changes, style.roots) : lineRange(startLine, endLine)
  const action = oneLine(actionWords(result), 80) || '(no action)'
  const head = [
    success ? palette.good('✓') : palette.bad('✗'),
    palette.strong(idColumn(result.blockId, style.columns)),
    palette.accent(subject === '' && what === '' ? action : actionColumn(action, style.columns)),
    ...(subject === '' ? [] : [subject]),
    ...(what === '' ? [] : [palette.faint(what)]),
  ].join('  ')
  if (success) {
    const label = result.warned ? 'warning' : 'note'
    return [head, ...hintLines(label, result.hint, palette), ...outputLines(result, palette)]
  }
  const error = oneLine(result.error ?? 'failed')
  return [
    head,
    `${INDENT}${palette.bad(error)}${error.includes(code) ? '' : palette.faint(`  ${oneLine(code)}`)}`,
    ...hintLines('hint', result.hint, palette), ...fixLinesBelow(result, palette),
    ...outputLines(result, palette),
  ]
}

function outputLines(result: ActionResult, palette: Palette): string[] {
  const output = commandOutput(result)
  if (!output) return []
  const most = result.success ? OUTPUT_LINES.success : OUTPUT_LINES.failure
  return [...outputTail('out', output.stdout, most, palette), ...outputTail('err', output.stderr, most, palette)]
}

/** A blank line below a list, if there was one. */
function gapAfter({ results, parseErrors, skipped }: ExecutionResult): string[] {
  return results.length + parseErrors.length + skipped.length > 0 ? [''] : []
}

function summaryLines(result: ExecutionResult, style: ReportStyle, palette: Palette): string[] {
  const { total, succeeded, failed, unparsed, skipped, otherErrors } = tallyOf(result)
  const fatal = result.fatalError === undefined ? [] : [palette.bad(`fatal: ${oneLine(result.fatalError)}`)]
  // If the text was not read to its end, it is unknown what it contains.
  if (total === 0 && !otherErrors) return fatal.length > 0 ? fatal : nothingLive(result.skipped, palette, style.fences)
  const notRun = result.results.filter(({ error }) => error === STOPPED_BEFORE_START).length
  const done = style.dryRun === true ? 'passed the dry run' : 'succeeded'
  const count = total === 0 ? 'No live blocks' : `${succeeded} of ${plural(total, 'block')} ${done}`
  const parts = [
    ...(style.interrupted === true ? [palette.bad('interrupted')] : []),
    result.success ? palette.good(count) : count,
    ...(failed > notRun ? [palette.bad(`${failed - notRun} failed`)] : []),
    ...(notRun > 0 ? [palette.bad(`${notRun} not run`)] : []),
    ...(unparsed > 0 ? [palette.bad(`${unparsed} did not parse`)] : []),
    ...(otherErrors ? [palette.bad(plural(result.parseErrors.length, 'parse error'))] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...hookCount(result, palette),
    ...(result.gitCommit === undefined ? [] : [`commit ${oneLine(result.gitCommit, 12)}`]),
    palette.faint(seconds(result.durationMs)),
  ]
  const dry = style.dryRun === true ? [palette.note('Dry run: nothing was changed.')] : []
  const rolledBack = rolledBackLine(result).map((line) => palette.note(line))
  const warnings = (result.warnings ?? []).map(warning => palette.note(`note: ${oneLine(warning)}`))
  const rewrites = (result.rewrites ?? []).map((rewrite) => palette.note(rewriteLine(rewrite)))
  const stopped = style.interrupted === true ? stoppedLines(result, style.dryRun === true) : []
  return [...fatal, ...warnings, ...rewrites, parts.join(' · '), ...rolledBack, ...stopped, ...dry]
}

/** What the user stopped, what had not begun, and what became of the rest. */
function stoppedLines({ results, executedActions, fatalError }: ExecutionResult, isDryRun: boolean): string[] {
  // Then that stopped the run.
  if (fatalError !== undefined) return []
  const cancelled = results.filter(({ success, code }) => !success && code === 'CANCELLED')
  const waiting = cancelled.filter(({ error }) => error === CANCELLED_BEFORE_START)
  const running = cancelled.filter((result) => !waiting.includes(result))
  return [
    ...running.map((result) => `Stopped: ${called(result)}`),
    ...(waiting.length === 0 ? [] : [`Not begun: ${named(waiting)}`]),
    ...(isDryRun || executedActions === 0 ? [] : ['What had run stays; hermes undo takes it back.']),
  ]
}

function called(result: ActionResult): string {
  const words = [oneLine(result.blockId, 40), oneLine(actionWords(result), 80), subjectOfResult(result)]
  return words.filter((word) => word !== '').join(' ')
}

function named(results: readonly ActionResult[]): string {
  const ids = results.slice(0, MOST_NAMED).map(({ blockId }) => oneLine(blockId, 40))
  const more = results.length - ids.length
  return `${ids.join(', ')}${more > 0 ? ` and ${plural(more, 'more block')}` : ''}`
}

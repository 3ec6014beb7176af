import type { ExecutionResult, HookResult } from '../../0-contracts/src/index.js'
import { actionColumn, idColumn } from './block-columns.js'
import type { Palette } from './palette.js'
import { plural, seconds } from './quantities.js'
import type { ReportStyle } from './report-style.js'
import { oneLine } from './safe-text.js'
import { failedHooks } from './tally.js'
import { hintLines, INDENT, outputTail } from './terminal-lines.js'

/** Most output lines to show of a successful and a failed hook. */
const OUTPUT_LINES = { success: 3, failure: 12 }
const MOST_PATHS = 3

/** The line of a hook, like a block's, with details below. */
export function hookLines(hook: HookResult, { columns }: Pick<ReportStyle, 'columns'>, palette: Palette): string[] {
  const { success, ignored, planned, name, command, code = '', durationMs } = hook
  const mark = planned ? palette.faint('·')
    : success ? palette.good('✓') : ignored ? palette.note('!') : palette.bad('✗')
  const head = [
    mark, palette.strong(idColumn('hook', columns)), palette.accent(actionColumn(oneLine(name, 40), columns)),
    oneLine(command, 120),
    ...(planned ? [palette.faint('would run')] : [palette.faint(seconds(durationMs))]),
  ].join('  ')
  const changed = hook.changed === undefined ? [] : [`${INDENT}${palette.faint(`changed ${namesOf(hook.changed)}`)}`]
  if (success) return [head, ...changed, ...hintLines('note', hook.hint, palette), ...outputLines(hook, palette)]
  const error = oneLine(hook.error ?? 'failed')
  const told = error.includes(code) ? '' : palette.faint(`  ${oneLine(code)}`)
  return [
    head,
    `${INDENT}${palette.bad(error)}${told}${ignored ? palette.faint('  (continue_on_error)') : ''}`,
    ...changed, ...hintLines('hint', hook.hint, palette), ...outputLines(hook, palette),
  ]
}

/** Counts for the last line: failed hooks, and those planned in a dry run. */
export function hookCount(result: ExecutionResult, palette: Palette): string[] {
  const failed = failedHooks(result).length
  const planned = (result.hooks ?? []).filter((hook) => hook.planned).length
  return [
    ...(failed > 0 ? [palette.bad(`${plural(failed, 'hook')} failed`)] : []),
    ...(planned > 0 ? [`${plural(planned, 'hook')} would run`] : []),
  ]
}

export function namesOf(paths: readonly string[], most = MOST_PATHS): string {
  const more = paths.length - most
  return `${paths.slice(0, most).map((path) => oneLine(path, 160)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function outputLines({ output, success }: HookResult, palette: Palette): string[] {
  return outputTail('out', output, success ? OUTPUT_LINES.success : OUTPUT_LINES.failure, palette)
}

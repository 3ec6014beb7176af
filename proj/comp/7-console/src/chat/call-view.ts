import type { ActionResult } from '../../../0-contracts/src/index.js'
import {
  commandOutput, duration, linesOf, type LineDiff, type Palette, subjectOfResult, whatChanged,
} from '../../../1-reports/src/index.js'
import { escapeControls, printable } from '../../../0-text/src/index.js'
import { cutToWidth, wrapText } from '../../../2-terminal/src/index.js'

const INDENT = '    '
/** Most lines of output shown of a call. */
const MOST_LINES = { success: 6, failure: 12 }
/** Most lines shown of a diff. */
const MOST_CHANGED = 12
/** Longest line considered, before it is cut to the terminal's width. */
const MOST_LENGTH = 1000

export interface CallLook {
  palette: Palette
  columns: number
  /** Paths below these are shown relative. */
  roots: readonly string[]
  /** Aligns the two texts of an edit. Default: shown without aligning. */
  lineDiff?: LineDiff | undefined
}

/** An ended call: a line with its state and time, and below it the beginning of its changes or output. */
export function callRows(tool: string, result: ActionResult, look: CallLook): string[] {
  const { palette, columns, roots } = look
  const { success, durationMs } = result
  const time = duration(durationMs)
  const what = success ? whatChanged(result, undefined, roots) : ''
  const name = escapeControls(tool.slice(0, 80))
  const subject = subjectOfResult(result, roots)
  const ending = [what, time].filter((part) => part !== '').join(' · ')
  const room = columns - 1 - 4 - name.length
  const mark = success ? palette.good('✓') : palette.bad('✗')
  // If there is no room for all, drop the ending first: it matters least.
  const full = `${subject === '' ? '' : `  ${subject}`}  ${ending}`
  const fits = full.length <= room
  const shown = cutToWidth(subject, Math.max(4, fits ? room : room - 2))
  const head = `${mark} ${palette.accent(cutToWidth(name, columns - 4))}${subject === '' ? '' : `  ${shown}`}`
  const rows = fits ? [`${head}  ${palette.faint(ending)}`]
    : [head, `${INDENT}${palette.faint(cutToWidth(ending, columns - 1 - INDENT.length))}`]
  return [...rows, ...details(result, look)]
}

function details(result: ActionResult, look: CallLook): string[] {
  const { palette, columns } = look
  const most = result.success ? MOST_LINES.success : MOST_LINES.failure
  const width = columns - 1 - INDENT.length
  const said = result.success ? [] : [
    ...wrapped(result.error ?? 'failed', width).map((row) => palette.bad(row)),
    ...(result.hint === undefined ? [] : wrapped(`hint: ${result.hint}`, width).map((row) => palette.note(row))),
  ]
  const output = commandOutput(result)
  const printed = output
    ? lastLines(`${output.stdout}${output.stderr}`, most, width).map((row) => palette.faint(row)) : []
  const changed = result.success && !output ? changedRows(result, look, width) : []
  return [...said, ...printed, ...changed].map((row) => `${INDENT}${row}`)
}

/** The lines that an edit removes and adds, from its parameters: the file on disk may be large. */
function changedRows({ params, ranAs }: ActionResult, { palette, lineDiff }: CallLook, width: number): string[] {
  const lines = (ranAs ?? [{ params }]).flatMap((call) => changedLines(call.params, lineDiff))
  const shown = lines.length > MOST_CHANGED ? lines.slice(0, MOST_CHANGED - 1) : lines
  return [
    ...shown.map((line) => {
      const row = cutToWidth(cutPrintable(line), width)
      return line.startsWith('-') ? palette.bad(row) : line.startsWith('+') ? palette.good(row) : palette.faint(row)
    }),
    ...(lines.length > shown.length ? [palette.faint(`… ${lines.length - shown.length} more lines`)] : []),
  ]
}

function changedLines(params: Record<string, unknown>, lineDiff: LineDiff | undefined): readonly string[] {
  const textOf = (...names: string[]): string | undefined =>
    names.map((name) => params[name]).find((value) => typeof value === 'string')
  const removed = textOf('old_text', 'oldText', 'old_string')
  const added = textOf(
    'new_text', 'newText', 'new_string', 'new_content', 'newContent', ...(removed === undefined ? ['content'] : []),
  )
  const patch = textOf('patch')
  if (patch !== undefined) {
    return linesOf(patch).filter((line) => /^[-+]/.test(line) && !/^(?:---|\+\+\+) /.test(line))
  }
  if (added === undefined) return []
  const hunks = removed === undefined ? undefined : lineDiff?.(removed, added)
  return hunks !== undefined && hunks.length > 0 ? hunks : [...marked('-', removed), ...marked('+', added)]
}

function marked(mark: string, text: string | undefined): string[] {
  return text === undefined ? [] : linesOf(text).map((line) => `${mark}${line}`)
}

function lastLines(text: string, most: number, width: number): string[] {
  const lines = linesOf(text)
  const shown = lines.length > most ? lines.slice(1 - most) : lines
  const left = lines.length - shown.length
  // Of a line overwritten with carriage returns, show the last state.
  const rows = shown.map((line) =>
    cutToWidth(cutPrintable(line.slice(line.lastIndexOf('\r', line.length - 2) + 1)), width))
  return [...(left > 0 ? [`… ${left} lines before`] : []), ...rows]
}

function wrapped(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapText(cutPrintable(line), width)).map((row) => row.trimEnd())
}

function cutPrintable(line: string): string {
  return printable(line.slice(0, MOST_LENGTH))
}

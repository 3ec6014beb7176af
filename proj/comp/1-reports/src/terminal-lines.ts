import type { ActionResult, ParseError, SkippedBlock } from '../../0-contracts/src/index.js'
import { BLOCK_EXAMPLES, LIVE_PLACES } from './live-block-help.js'
import { actionColumn, idColumn } from './block-columns.js'
import type { Palette } from './palette.js'
import { fixLines } from './fix-lines.js'
import { fencesAsText, type FencesFound } from './nothing-found.js'
import { lineRange, plural } from './quantities.js'
import type { ReportStyle } from './report-style.js'
import { oneLine, safeLines, tail } from './safe-text.js'
import { sourceExcerpt } from './source-excerpt.js'

/** Indentation of lines that belong to the one above. */
export const INDENT = '    '

/** A hint below a block or error; its further lines are aligned with the first. */
export function hintLines(
  label: 'hint' | 'note' | 'warning', hint: string | undefined, palette: Palette,
): string[] {
  return hint === undefined ? [] : labelled(label, safeLines(hint, 1000), palette)
}

export function fixLinesBelow(said: Pick<ActionResult, 'fix' | 'hint'>, palette: Palette): string[] {
  return labelled('fix', fixLines(said), palette)
}

function labelled(label: string, lines: readonly string[], palette: Palette): string[] {
  return lines.map((line, index) => (
    `${INDENT}${index === 0 ? palette.note(`${label}:`) : ' '.repeat(label.length + 1)} ${line}`
  ))
}

type Columns = Pick<ReportStyle, 'columns'>

export function parseErrorLines(parseError: ParseError, { columns }: Columns, palette: Palette): string[] {
  const { blockId, error: { code, message, line, column, hint } } = parseError
  const head = [
    palette.bad('✗'), palette.strong(idColumn(blockId ?? '', columns)),
    palette.accent(actionColumn('(not parsed)', columns)), palette.faint(`line ${line}:${column}`),
  ].join('  ')
  return [
    head,
    `${INDENT}${palette.bad(oneLine(message))}${palette.faint(`  ${oneLine(code)}`)}`,
    ...sourceExcerpt(parseError).map(text => palette.faint(`${INDENT}${text}`)),
    ...hintLines('hint', hint, palette),
    ...fixLinesBelow(parseError.error, palette),
  ]
}

export function skippedLine(
  { blockId, startLine, endLine, reason }: SkippedBlock, { columns }: Columns, palette: Palette,
): string {
  const head = `–  ${idColumn(blockId ?? '', columns)}  ${actionColumn('(skipped)', columns)}`
  return palette.faint(`${head}  ${lineRange(startLine, endLine)}: ${oneLine(reason)}`)
}

/** How to make a block live, for a text without live blocks. */
export function nothingLive(
  skipped: readonly SkippedBlock[], palette: Palette, fences?: FencesFound,
): string[] {
  if (fences?.isBlank === true && skipped.length === 0) return [palette.note('The text is empty: nothing to do.')]
  const above = skipped.length === 1 ? 'the one above is' : `the ${skipped.length} above are`
  const isAllServed = skipped.every(({ reason }) => reason.startsWith('the service has run it'))
  const notEnabled = skipped.some(({ reason }) => reason.includes('--edit-format'))
  const why = skipped.length === 0 ? `No blocks found${fences?.count ? '.' : ': nothing to do.'}`
    : isAllServed ? 'No blocks found: nothing is left to do.'
    : notEnabled ? `No live blocks found: ${above} quoted, or of an edit format that is not enabled.`
    : `No live blocks found: ${above} quoted, and what is quoted never runs.`
  return [
    palette.note([why, ...fencesAsText(fences)].join(' ')),
    `A block runs ${LIVE_PLACES}, in one of these two shapes:`,
    '',
    ...BLOCK_EXAMPLES.map(line => (line === '' ? '' : palette.faint(`${INDENT}${line}`))),
    '',
    'A model writes them where the text of hermes prompt comes before what you ask of it.',
  ]
}

/**
 * The last output lines of a command, and how many precede them.
 *
 * @param label `out` or `err`
 */
export function outputTail(label: string, text: string, most: number, palette: Palette): string[] {
  const { lines, omitted, cut } = tail(text, most)
  const left = cut ? 'more output' : plural(omitted, 'line')
  const before = omitted > 0 ? [palette.faint(`${INDENT}${label} │ … ${left} before`)] : []
  return [...before, ...lines.map((line) => palette.faint(`${INDENT}${label} │ ${line}`))]
}

export function joinLines(lines: readonly string[]): string {
  return lines.map(line => `${line.trimEnd()}\n`).join('')
}

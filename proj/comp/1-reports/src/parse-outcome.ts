import type { ParsedBlock, ParseOutcome } from '../../0-contracts/src/index.js'
import { actionColumn, columnsFor, idColumn } from './block-columns.js'
import { createPalette, type Palette } from './palette.js'
import { lineRange, plural } from './quantities.js'
import type { ReportStyle } from './report-style.js'
import { oneLine } from './safe-text.js'
import { subjectOf } from './subject.js'
import { joinLines, nothingLive, parseErrorLines, skippedLine } from './terminal-lines.js'

/**
 * The output of `hermes parse` for people: a line for each block, error and skipped block in text order, and counts.
 */
export function renderParseOutcome(outcome: ParseOutcome, style: ReportStyle = {}): string {
  const { blocks, errors, skipped, totalBlocks } = outcome
  const all = [...blocks, ...[...errors, ...skipped].map(({ blockId = '' }) => ({ id: blockId }))]
  const wide = { ...style, columns: columnsFor(all) }
  const palette = createPalette(style.colour ?? false)
  const entries = [
    ...blocks.map(block => ({ at: block.startLine, lines: [blockLine(block, wide, palette)] })),
    ...errors.map(error => ({ at: error.startLine, lines: parseErrorLines(error, wide, palette) })),
    ...skipped.map(block => ({ at: block.startLine, lines: [skippedLine(block, wide, palette)] })),
  ].sort((a, b) => a.at - b.at)
  const unparsed = totalBlocks - blocks.length
  const summary = totalBlocks === 0 && errors.length === 0 ? nothingLive(skipped, palette, style.fences) : [[
    `${blocks.length} of ${plural(totalBlocks, 'block')} parsed`,
    ...(unparsed > 0 ? [palette.bad(`${unparsed} did not parse`)] : []),
    ...(errors.length > 0 && unparsed === 0 ? [palette.bad(plural(errors.length, 'parse error'))] : []),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
  ].join(' · ')]
  return joinLines([...entries.flatMap(({ lines }) => lines), ...(entries.length > 0 ? [''] : []), ...summary])
}

function blockLine(block: ParsedBlock, style: ReportStyle, palette: Palette): string {
  const { id, format, action, params, startLine, endLine } = block
  const subject = subjectOf(params, style.roots)
  return [
    palette.good('•'),
    palette.strong(idColumn(id, style.columns)),
    palette.accent(actionColumn(oneLine(action, 80) || '(no action)', style.columns)),
    ...(subject === '' ? [] : [subject]),
    palette.faint(`${lineRange(startLine, endLine)}, ${format}`),
  ].join('  ')
}

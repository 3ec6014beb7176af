import type { ActionResult, ParseError } from '../../0-contracts/src/index.js'
import { columnsFor } from './block-columns.js'
import { createPalette } from './palette.js'
import { plural } from './quantities.js'
import type { ReportStyle } from './report-style.js'
import { renderTerminal } from './terminal.js'
import { joinLines, parseErrorLines } from './terminal-lines.js'

/** What a mended answer still has: blocks that do not fit their verbs, and errors of what does not parse. */
export function renderUnmended(
  { errors, results }: { errors: ParseError[]; results: readonly ActionResult[] }, style: ReportStyle,
): string {
  const failed = results.map(result => renderTerminal({ type: 'block-end', result, changes: [] }, style))
  if (errors.length === 0) return failed.join('')
  const palette = createPalette(style.colour ?? false)
  const wide = { ...style, columns: columnsFor(errors.map(({ blockId = '' }) => ({ id: blockId }))) }
  const lines = errors.flatMap((error) => parseErrorLines(error, wide, palette))
  return [...failed, joinLines([...lines, '', palette.bad(`${plural(errors.length, 'block')} did not parse`)])].join('')
}

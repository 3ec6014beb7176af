import type { ActionResult, ParseError } from '../../0-contracts/src/index.js'
import { renderParseOutcome } from './parse-outcome.js'
import type { ReportStyle } from './report-style.js'
import { renderTerminal } from './terminal.js'

/** What a mended answer still has: blocks that do not fit their verbs, and errors of what does not parse. */
export function renderUnmended(
  { errors, results }: { errors: ParseError[]; results: readonly ActionResult[] }, style: ReportStyle,
): string {
  const failed = results.map(result => renderTerminal({ type: 'block-end', result, changes: [] }, style))
  const left = { blocks: [], errors, skipped: [], totalBlocks: errors.length }
  return [...failed, ...(errors.length === 0 ? [] : [renderParseOutcome(left, style)])].join('')
}

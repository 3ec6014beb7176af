import { isRecord, type ActionResult } from '../../../0-contracts/src/index.js'
import { INDENT } from '../block-frames.js'

/** How a text was found that the file has not byte for byte, and what came of the new one. */
const TOLERANCES: Readonly<Record<string, string>> = {
  'trailing-space': 'Matched but for line endings or space at line ends; the new lines end as those of the file.',
  indentation: 'Matched but for indentation; the new lines are indented as those of the file.',
  'look-alikes': 'Matched but for look-alike characters; the new lines have the quotes, dashes and spaces of the file.',
}

/** That a block wrote something else than it said, since the file differed from what it quoted; else none. */
export function toleranceLines({ data, written }: Pick<ActionResult, 'data' | 'written'>): string[] {
  const words = toleranceOf(data)
  if (words === undefined || !isRecord(data)) return []
  const { startLine: start, endLine: end } = data
  const isRange = typeof start === 'number' && typeof end === 'number'
  // The lines themselves are shown below.
  if (written !== undefined && written.truncated !== true) return [`${INDENT}${words} So new_text (-) became (+):`]
  // Lines that were only deleted are nothing to read.
  if (isRange && end < start) return []
  const place = !isRange ? 'them' : start === end ? `line ${start}` : `lines ${start}–${end}`
  return [`${INDENT}${words} Read ${place} before you edit ${isRange && start === end ? 'it' : 'them'} again.`]
}

/** The same result without what `toleranceLines` says. */
export function withoutTolerance(result: ActionResult): ActionResult {
  const { data } = result
  if (toleranceOf(data) === undefined || !isRecord(data)) return result
  const { match: _, ...rest } = data
  return { ...result, data: rest }
}

function toleranceOf(data: unknown): string | undefined {
  if (!isRecord(data) || data['alreadyApplied'] === true) return undefined
  const { match } = data
  return typeof match === 'string' && Object.hasOwn(TOLERANCES, match) ? TOLERANCES[match] : undefined
}

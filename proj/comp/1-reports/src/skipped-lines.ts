import type { SkippedBlock } from '../../0-contracts/src/index.js'
import { lineRange, plural } from './quantities.js'
import { oneLine } from './safe-text.js'

/** Most quoted blocks to list, and most reasons to name. */
const MOST_LISTED = 5
const MOST_REASONS = 3

/** Skipped blocks for a model: quoted blocks one by one, likely ones in one counting line. */
export function skippedFeedback(skipped: readonly SkippedBlock[]): string[] {
  const quoted = skipped.filter((block) => !isOnlyLikely(block))
  const left = quoted.length - MOST_LISTED
  return [
    ...quoted.slice(0, MOST_LISTED).map(skippedBlock),
    ...(left > 0 ? [`SKIPPED ${plural(left, 'more block')}, from line ${quoted[MOST_LISTED]!.startLine} on.`] : []),
    ...likelyLine(skipped.filter(isOnlyLikely)),
  ]
}

/**
 * Whether a skipped entry is only likely a block, possibly of another format; its reason says which, and how to read
 * it.
 */
export function isOnlyLikely({ reason }: SkippedBlock): boolean {
  return /^looks like |\bruns only with --/.test(reason)
}

/** Whether the block was done by the run that this one continues, so it must not be sent again. */
export function wasDoneBefore({ reason }: SkippedBlock): boolean {
  return reason.endsWith(' and is not run again')
}

function skippedBlock({ blockId, startLine, endLine, reason }: SkippedBlock): string {
  const name = blockId === undefined ? 'a block' : `block ${oneLine(blockId, 40)}`
  return `SKIPPED ${name} (${lineRange(startLine, endLine)}): ${oneLine(reason)}, so it did not run.`
}

function likelyLine(likely: readonly SkippedBlock[]): string[] {
  const [first] = likely
  if (!first) return []
  const reasons = [...new Set(likely.map(({ reason }) => oneLine(reason, 120)))]
  const more = reasons.length > MOST_REASONS ? '; …' : ''
  const where = likely.length === 1 ? lineRange(first.startLine, first.endLine) : `first in line ${first.startLine}`
  const said = `${reasons.slice(0, MOST_REASONS).join('; ')}${more}`
  const look = likely.length === 1 ? 'looks' : 'look'
  return [`SKIPPED ${plural(likely.length, 'passage')} that only ${look} like a block (${where}): ${said}.`]
}

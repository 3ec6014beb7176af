import type { ExecutionResult } from '../../0-contracts/src/index.js'

export interface Tally {
  total: number
  succeeded: number
  /** Parsed and failed. */
  failed: number
  /** Live blocks that did not parse. */
  unparsed: number
  skipped: number
  /** Errors in what quotes blocks (an unclosed comment, say): they belong to no live block. */
  otherErrors: boolean
}

export function tallyOf(result: ExecutionResult): Tally {
  const { omitted } = result
  const held = result.results.filter(({ success }) => success).length
  const succeeded = held + (omitted?.succeeded ?? 0)
  const failed = result.results.length - held + (omitted?.failed ?? 0)
  const unparsed = result.totalBlocks - succeeded - failed
  return {
    total: result.totalBlocks,
    succeeded,
    failed,
    unparsed,
    skipped: result.skipped.length + (omitted?.skipped ?? 0),
    otherErrors: unparsed === 0 && result.parseErrors.length > 0,
  }
}

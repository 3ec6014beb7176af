import type { ExecutionResult } from '../../contracts/src/index.js'

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
  const succeeded = result.results.filter(({ success }) => success).length
  const unparsed = result.totalBlocks - result.results.length
  return {
    total: result.totalBlocks,
    succeeded,
    failed: result.results.length - succeeded,
    unparsed,
    skipped: result.skipped.length,
    otherErrors: unparsed === 0 && result.parseErrors.length > 0,
  }
}

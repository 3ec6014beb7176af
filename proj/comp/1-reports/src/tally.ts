import type { ExecutionResult, HookResult } from '../../0-contracts/src/index.js'

export function tallyOf(result: ExecutionResult) {
  const { omitted } = result
  const held = result.results.filter(({ success }) => success).length
  const succeeded = held + (omitted?.succeeded ?? 0)
  const failed = result.results.length - held + (omitted?.failed ?? 0)
  const unparsed = result.totalBlocks - succeeded - failed
  return {
    total: result.totalBlocks,
    succeeded,
    /** Parsed and failed. */
    failed,
    /** Live blocks that did not parse. */
    unparsed,
    skipped: result.skipped.length + (omitted?.skipped ?? 0),
    /** Errors in what quotes blocks (an unclosed comment, say): they belong to no live block. */
    otherErrors: unparsed === 0 && result.parseErrors.length > 0,
  }
}

/** Hooks that make the run fail. */
export function failedHooks({ hooks = [] }: ExecutionResult): HookResult[] {
  return hooks.filter(({ success, ignored }) => !success && ignored !== true)
}

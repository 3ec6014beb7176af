import type { ScanError } from '../scanner/index.js'

/** Most errors that one block is reported by (contract section 1). */
export const MOST_ERRORS = 3

/** What makes other lines of a block look wrong. */
const CAUSES: ReadonlySet<ScanError['code']> = new Set([
  'UNCLOSED_HEREDOC', 'UNCLOSED_BLOCK', 'MISMATCHED_END', 'MALFORMED_HEADER', 'INVALID_BLOCK_ID',
])

/**
 * The errors a block is reported by: the cause first, the others by line, at most three.
 *
 * @param more how many lines are wrong besides
 * @param summary says how many errors are left out, from the first of them on
 */
export function threeErrors(
  errors: readonly ScanError[], more: number, summary: (count: number, first: ScanError) => ScanError,
): ScanError[] {
  if (errors.length + more === 1) return [...errors]
  const cause = errors.find(({ code }) => CAUSES.has(code))
  const others = errors.filter((error) => error !== cause).sort((a, b) => a.line - b.line)
  const sorted = cause ? [cause, ...others] : others
  const count = sorted.length + more
  if (count <= MOST_ERRORS) return sorted
  const shown = sorted.slice(0, MOST_ERRORS - 1)
  return [...shown, summary(count - shown.length, sorted[shown.length]!)]
}

import type { ScanError } from './items.js'

/** Errors of blocks whose own end was not found: something else ended them. */
const UNENDED: ReadonlySet<string> = new Set(['UNCLOSED_BLOCK', 'UNCLOSED_HEREDOC', 'MISMATCHED_END', 'FILE_TOO_LARGE'])

/** Whether a block with these errors ended with its own end. */
export function foundOwnEnd(errors: readonly ScanError[]): boolean {
  return !errors.some(({ code }) => UNENDED.has(code))
}

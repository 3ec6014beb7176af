/** What is looked at after a write: nothing, whether the file parses, or also what the language service says of it. */
export const CHECKS = ['off', 'syntax', 'full'] as const
/** One of `CHECKS`. */
export type Checks = (typeof CHECKS)[number]
export const DEFAULT_CHECKS: Checks = 'syntax'

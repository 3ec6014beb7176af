import { basename } from 'node:path'
import { compilePattern } from '../../../2-files/src/index.js'

/** Which entries a listing shows and which directories it enters, by their path below the start. */
export interface EntryFilter {
  shows(relative: string): boolean
  enters(relative: string): boolean
}

/**
 * @param pattern glob pattern of names, or with a `/` of paths below the start
 * @param hidden whether names that begin with a dot are shown; without it a pattern must name the dot
 * @throws HermesError `INVALID_PARAMETER` for a pattern that cannot be used
 */
export function entryFilter(verb: string, pattern: string | undefined, hidden: boolean): EntryFilter {
  const isPlain = (relative: string): boolean => hidden || !basename(relative).startsWith('.')
  if (pattern === undefined) return { shows: isPlain, enters: isPlain }
  const { matches, mayMatchBelow } = compilePattern(verb, 'pattern', pattern, { dot: hidden })
  // One that says what not to show names no dot.
  const isAllowed = /^(?:!!)*!(?!!)/.test(pattern) ? isPlain : () => true
  if (!pattern.includes('/')) return { shows: (at) => isAllowed(at) && matches(basename(at)), enters: isPlain }
  return {
    shows: (relative) => isAllowed(relative) && matches(relative),
    enters: (relative) => isAllowed(relative) && mayMatchBelow(relative),
  }
}

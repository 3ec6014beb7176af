import { dialectAt, type DialectOpener } from '../../dialects/index.js'
import type { ScanState } from '../scan-state.js'

/** The opener of a dialect's call at `at` of the current line. One that may be anything's opens first on it only. */
export function dialectHere(s: ScanState, at: number): DialectOpener | undefined {
  const not = s.rejected?.at === s.abs(at) ? s.rejected.dialects : undefined
  const opener = dialectAt(s.region, at, s.end, s.formats, not)
  return opener && isLikely(opener) && at !== s.skipBlanks(s.lineStart) ? undefined : opener
}

/** What follows decides whether it is a call. */
export function isLikely({ forms }: DialectOpener): boolean {
  return forms.some(({ begins }) => begins !== undefined)
}

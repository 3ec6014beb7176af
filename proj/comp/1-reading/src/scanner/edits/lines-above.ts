import type { ScanState } from '../scan-state.js'
import { REACH } from './text-above.js'

/**
 * Lines above the current one, the nearest first, none that begins before `floor` (absolute). How the text is cut
 * changes nothing: pieces are read in whole lines.
 */
export function* linesAbove(s: ScanState, floor: number): Generator<string, void> {
  const from = Math.max(floor, s.abs(s.lineStart) - REACH)
  const { base } = s.source
  yield* linesBackwards(s.region, s.lineStart, from - base)
  if (from < base) {
    // With the character before, which is a line break where a line begins at `from`.
    const before = s.above.slice(from - 1, base)
    yield* linesBackwards(before, before.length, from > 0 ? 1 : 0)
  }
}

/** The lines that end before `end` and begin at or after `from`. */
function* linesBackwards(text: string, end: number, from: number): Generator<string, void> {
  for (let to = end; to > 0 && to > from;) {
    const start = to === 1 ? 0 : text.lastIndexOf('\n', to - 2) + 1
    if (start < from) return
    yield text.slice(start, to - 1)
    to = start
  }
}

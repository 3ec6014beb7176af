import type { Span } from './candidates.js'
import type { Place } from './compare-passage.js'
import { NO_SHIFT } from './match-tier.js'
import { textFinder } from './text-search.js'

/**
 * The whole lines of a text that are those searched for, byte for byte; how the last one ends is of no account.
 *
 * @param most how many are looked for
 * @returns `undefined` where another way must be taken
 */
export function exactPlaces(text: string, { from, to }: Span, searched: string, most: number): Place[] | undefined {
  const wanted = searched.replace(/\r?\n$/, '')
  // A lone carriage return at the end might be part of a line break in the text.
  if (wanted === '' || wanted.endsWith('\r') || wanted.endsWith('\n')) return undefined
  const places: Place[] = []
  const find = textFinder(text, wanted)
  for (let at = find(from); at !== -1 && at + wanted.length <= to && places.length < most;) {
    const isLineStart = at === from || text[at - 1] === '\n'
    const end = isLineStart ? lineEndAt(text, at + wanted.length) : undefined
    if (end !== undefined) places.push({ start: at, end, tier: 'exact', shift: NO_SHIFT })
    const next = text.indexOf('\n', at)
    at = next === -1 ? -1 : find(next + 1)
  }
  return places
}

/** The offset after the line break at `end`, or the text's end; `undefined` where the line goes on. */
function lineEndAt(text: string, end: number): number | undefined {
  if (end === text.length) return end
  if (text[end] === '\n') return end + 1
  return text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : undefined
}

import { alignLines } from './align-lines.js'
import type { Place } from './compare-passage.js'
import { lineAt, linesOf } from './line-parts.js'
import { locate } from './locate.js'
import type { MatchMode } from './match-tier.js'

/**
 * Where an edit whose old text is missing has already been made: the new text stands in `text` exactly once, and
 * includes a line that the edit keeps and that is unique in `text`, which proves the place; or it is the whole text.
 *
 * @returns `undefined` also where this is uncertain
 */
export function alreadyApplied(text: string, searched: string, replaced: string, match: MatchMode): Place | undefined {
  if (!/\S/.test(replaced)) return undefined
  const located = locate(text, replaced, { match })
  if (located.kind !== 'found') return undefined
  const { place } = located
  if (text.slice(0, place.start).trim() === '' && text.slice(place.end).trim() === '') return place
  const old = linesOf(searched).map(({ body }) => body.trim())
  const lines = linesOf(replaced).map(({ body }) => body.trim())
  const kept = alignLines(old, lines)
  const isKnown = lines.some((line, index) => kept[index] !== -1 && /\w/.test(line) && isOnce(text, line))
  return isKnown && isDone(text, place, old, lines, kept) ? place : undefined
}

/**
 * Whether the lines that the edit removes at its ends are really gone beside the new text. An edit that only deletes
 * must have kept lines on both sides.
 */
function isDone(
  text: string, { start, end }: Place, old: readonly string[], lines: readonly string[], kept: readonly number[],
): boolean {
  const stays = old.map((line, index) => line !== '' && kept.includes(index))
  const [first, last] = [stays.indexOf(true), stays.lastIndexOf(true)]
  const isFilled = (line: string) => line !== ''
  const adds = lines.some((line, index) => kept[index] === -1 && line !== '')
  const [above, below] = [old.slice(0, first).filter(isFilled), old.slice(last + 1).filter(isFilled)]
  if (!adds && (above.length > 0 || below.length > 0)) return false
  return !above.includes(filledBefore(text, start)) && !below.includes(filledAfter(text, end))
}

/** The next non-blank line, trimmed; `''` where there is none. */
function filledAfter(text: string, from: number): string {
  for (let at = from; at < text.length;) {
    const { body, ending } = lineAt(text, at)
    if (body.trim() !== '') return body.trim()
    at += body.length + ending.length
  }
  return ''
}

function filledBefore(text: string, to: number): string {
  for (let end = to; end > 0;) {
    const start = end < 2 ? 0 : text.lastIndexOf('\n', end - 2) + 1
    const line = text.slice(start, end).trim()
    if (line !== '' || start === 0) return line
    end = start
  }
  return ''
}

/** Whether exactly one line of the text equals this one, ignoring space around it. */
function isOnce(text: string, line: string): boolean {
  const wanted = line.trim()
  let count = 0
  for (let at = text.indexOf(wanted); at !== -1 && count < 2;) {
    const start = text.lastIndexOf('\n', at) + 1
    const { body, ending } = lineAt(text, start)
    if (body.trim() === wanted) count++
    const next = start + body.length + ending.length
    at = next >= text.length ? -1 : text.indexOf(wanted, next)
  }
  return count === 1
}

/**
 * Hint for an edit that was not made because its new text is already in the file.
 *
 * @param lines such as `line 3`
 */
export function mayBeApplied(lines: string): string {
  return `new_text stands on ${lines} already: the edit may have been made before.`
}

import { cutLine } from './cut-line.js'

/** Longer lines are cut. */
const MOST_CHARS = 2000
/** More than can be shown on either side. */
const WINDOW = MOST_CHARS + 100

/** A line as text, at most some 2,000 characters of it around the place of the match. */
export function lineExcerpt(line: string, at: number): string {
  if (line.length <= MOST_CHARS) return line
  const from = Math.max(0, at - WINDOW)
  const window = line.slice(from, at + WINDOW)
  return cutLine(Buffer.from(window), Buffer.byteLength(window.slice(0, at - from)), 0, from > 0)
}

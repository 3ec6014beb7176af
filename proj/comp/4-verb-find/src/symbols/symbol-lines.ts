import { clip } from '../../../0-text/src/index.js'

/** Characters shown of a line. */
const MOST_CHARS = 500

/** The lines of a text without their ends; `''` has none, and a break at the end begins no line. */
export function linesOf(text: string): string[] {
  const lines = (text.startsWith('\ufeff') ? text.slice(1) : text).split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
}

/** Some lines as one text, long ones cut. 1-based, both ends included. */
export function excerpt(lines: readonly string[], first: number, last: number): string {
  return lines.slice(first - 1, last).map((line) => clip(line, MOST_CHARS)).join('\n')
}

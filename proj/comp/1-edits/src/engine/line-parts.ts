/**
 * A line and its ending: `
 * `, `\r
 * `, or `''` at the end of a text.
 */
export interface LineParts {
  body: string
  ending: string
}

/** The lines of a text. `''` has none; a byte order mark belongs to the first. */
export function linesOf(text: string): LineParts[] {
  const lines: LineParts[] = []
  for (let start = 0; start < text.length;) {
    const line = lineAt(text, start)
    lines.push(line)
    start += line.body.length + line.ending.length
  }
  return lines
}

/** The line that begins at `start`. */
export function lineAt(text: string, start: number): LineParts {
  const newline = text.indexOf('\n', start)
  if (newline === -1) return { body: text.slice(start), ending: '' }
  const hasCr = newline > start && text.charCodeAt(newline - 1) === CR
  return { body: text.slice(start, hasCr ? newline - 1 : newline), ending: hasCr ? '\r\n' : '\n' }
}

const CR = 13

/**
 * The line without trailing white space. A loop, since a regular expression takes quadratic time on long rows of
 * spaces.
 */
export function trimLineEnd(line: string): string {
  let end = line.length
  while (end > 0 && isSpace(line.charCodeAt(end - 1))) end--
  return end === line.length ? line : line.slice(0, end)
}

/** Number of leading spaces and tabs. */
export function indentLength(line: string): number {
  let length = 0
  while (length < line.length && (line[length] === ' ' || line[length] === '\t')) length++
  return length
}

/** Tab, vertical tab, form feed, carriage return, space. */
function isSpace(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === CR || unit === 11 || unit === 12
}

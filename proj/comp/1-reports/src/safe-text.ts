import { clipUtf8, escapeControls } from '../../0-text/src/index.js'

/** Text of files, models and commands, made harmless and put on one line of at most `max` bytes. */
export function oneLine(text: string, max = 400): string {
  // Cut before escaping too: the text may be megabytes.
  const start = clipUtf8(text, max * 4)
  const safe = escapeControls(start)
  const clipped = clipUtf8(safe, max)
  return clipped.length < safe.length || start.length < text.length ? `${clipped}…` : safe
}

/** The same for text of several lines, each on its own. A line break at the end opens no further line. */
export function safeLines(text: string, max = 400): string[] {
  return linesOf(text).map(line => oneLine(line, max))
}

export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * The end of what a command printed. Of a line written over with carriage returns the last state counts.
 *
 * @returns `lines`: the last ones, made harmless; `omitted`: lines before them; `cut`: the output was cut already, so
 *   that there were more than `omitted`
 */
export function tail(
  output: string, maxLines: number, maxBytes = 400,
): { lines: string[]; omitted: number; cut: boolean } {
  const lines = linesOf(output)
  const shown = lines.slice(-maxLines).map(line => oneLine(line.slice(line.lastIndexOf('\r') + 1), maxBytes))
  const left = lines.slice(0, lines.length - shown.length)
  return { lines: shown, omitted: left.length, cut: left.some(line => /^… \d+ bytes omitted …$/.test(line)) }
}

import { HermesError } from '../../contracts/src/index.js'

const BOM = '\ufeff'

/**
 * A text as its byte order mark and its lines, each with its own ending; joined they are the text again. LF and CRLF
 * end a line, a lone CR does not; `''` has 0 lines, `a` and `a\n` have 1.
 */
export function splitLines(content: string): { bom: string; lines: string[] } {
  const bom = content.startsWith(BOM) ? BOM : ''
  const lines: string[] = []
  let start = bom.length
  while (start < content.length) {
    const newline = content.indexOf('\n', start)
    const end = newline === -1 ? content.length : newline + 1
    lines.push(content.slice(start, end))
    start = end
  }
  return { bom, lines }
}

/** `\r\n`, `\n`, or `''` for a last line without one. */
export function lineEnding(line: string): string {
  return line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : ''
}

/**
 * Reads `4` or `23-43`: 1-based lines, inclusive.
 *
 * @throws HermesError `INVALID_PARAMETER` for other text, `RANGE_INVALID` for lines the file does not have
 */
export function parseRange(verb: string, range: string, lineCount: number): { first: number; last: number } {
  const match = /^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(range)
  if (!match) {
    throw new HermesError('INVALID_PARAMETER', `${verb}: lines must be one line or a range, not ${quote(range)}`, {
      hint: 'Write lines = "4" or lines = "23-43".',
    })
  }
  const first = Number(match[1])
  const last = match[2] === undefined ? first : Number(match[2])
  if (first >= 1 && first <= last && last <= lineCount) return { first, last }
  const problem = first > last
    ? `${verb}: lines ${range.trim()} ends before it starts`
    : `${verb}: lines ${range.trim()} is outside the file`
  throw new HermesError('RANGE_INVALID', problem, { hint: rangeHint(first, lineCount) })
}

function rangeHint(first: number, lineCount: number): string {
  if (lineCount === 0) return 'The file has 0 lines. file_write or file_append gives it content.'
  const counted = `The file has ${lineCount} ${lineCount === 1 ? 'line' : 'lines'}`
  return first >= 1 && first < lineCount
    ? `${counted}; to its end is lines = "${first}-${lineCount}".`
    : `${counted}, counted from 1.`
}

function quote(text: string): string {
  return `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`
}

import { linesWithBreaks } from '../../../0-text/src/index.js'

/** 1-based lines, both included. */
export interface LineRange {
  first: number
  last: number
}

const BOM = '\ufeff'

/**
 * A text as its byte order mark and its lines, each with its own ending; joined they are the text again. LF and CRLF
 * end a line, a lone CR does not; `''` has 0 lines, `a` and `a\n` have 1.
 */
export function splitLines(content: string): { bom: string; lines: string[] } {
  const bom = content.startsWith(BOM) ? BOM : ''
  return { bom, lines: linesWithBreaks(content.slice(bom.length)) }
}

/** `\r\n`, `\n`, or `''` for a last line without one. */
export function lineEnding(line: string): string {
  return line.endsWith('\r\n') ? '\r\n' : line.endsWith('\n') ? '\n' : ''
}

import type { ProsePart } from './answer-prose.js'

/** A row of the answer on the page: one line as it was written, or lines of prose rendered from Markdown (`part`). */
export type AnswerRow = { line: number; part?: undefined } | { line: number; part: ProsePart }

/** The rows of an answer of `lineCount` lines. A row's `line` is 1-based, that of a part its first. */
export function answerRows(lineCount: number, parts: readonly ProsePart[]): AnswerRow[] {
  const byLine = new Map(parts.map((part) => [part.startLine, part]))
  const rows: AnswerRow[] = []
  for (let line = 1; line <= lineCount; line++) {
    const part = byLine.get(line)
    rows.push(part ? { line, part } : { line })
    if (part) line = part.endLine
  }
  return rows
}

/** Index of the row that shows a line. */
export function rowOfLine(rows: readonly AnswerRow[], line: number): number {
  const nextRow = rows.findIndex((row) => row.line > line)
  return (nextRow === -1 ? rows.length : nextRow) - 1
}

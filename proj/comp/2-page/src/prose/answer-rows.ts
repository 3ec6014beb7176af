import type { ProsePart } from './answer-prose.js'

/** What stands below each other where an answer is read: a line of it as it was written, or some as they read. */
export type AnswerRow = { line: number; part?: undefined } | { line: number; part: ProsePart }

/** The rows of an answer of so many lines; `line` is 1-based, of a part its first one. */
export function answerRows(count: number, parts: readonly ProsePart[]): AnswerRow[] {
  const byLine = new Map(parts.map((part) => [part.startLine, part]))
  const rows: AnswerRow[] = []
  for (let line = 1; line <= count; line++) {
    const part = byLine.get(line)
    rows.push(part ? { line, part } : { line })
    if (part) line = part.endLine
  }
  return rows
}

/** In which row a line stands, from 0. */
export function rowOfLine(rows: readonly AnswerRow[], line: number): number {
  const after = rows.findIndex((row) => row.line > line)
  return (after === -1 ? rows.length : after) - 1
}

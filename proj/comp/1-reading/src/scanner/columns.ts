/** Tabs reach to the next multiple of four columns (CommonMark 0.31.2, section 2.2). */
const TAB_STOP = 4

/** A place in a line: an index, and the column there (a tab may be half consumed). */
export interface Cursor {
  at: number
  column: number
}

export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** Skips spaces and tabs; returns how many columns they take. */
export function skipIndent(text: string, cursor: Cursor, end: number): number {
  const from = cursor.column
  while (cursor.at < end) {
    const code = text.charCodeAt(cursor.at)
    if (code === 0x20) cursor.column++
    else if (code === 0x09) cursor.column += TAB_STOP - (cursor.column % TAB_STOP)
    else break
    cursor.at++
  }
  return cursor.column - from
}

/** Skips exactly `columns` columns of white space, or fewer where something else follows. */
export function advanceColumns(text: string, cursor: Cursor, columns: number, end: number): void {
  const goal = cursor.column + columns
  while (cursor.column < goal && cursor.at < end) {
    const code = text.charCodeAt(cursor.at)
    if (code === 0x20) cursor.column++
    else if (code === 0x09) {
      const width = TAB_STOP - (cursor.column % TAB_STOP)
      if (cursor.column + width > goal) {
        cursor.column = goal
        return
      }
      cursor.column += width
    } else return
    cursor.at++
  }
}

/** Index behind at most `columns` columns of leading white space; a tab that would exceed them stays. */
export function stripColumns(text: string, from: number, end: number, columns: number): number {
  const cursor = { at: from, column: 0 }
  if (columns > 0) advanceColumns(text, cursor, columns, end)
  return cursor.at
}

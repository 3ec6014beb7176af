import { wrapWords } from '../../../0-text/src/index.js'
import type { Palette } from '../../../1-reports/src/index.js'

export interface TableRow {
  name: string
  type: string
  description: string
}

/** After a type longer than this the description begins on a line of its own. */
const MAX_TYPE = 34
/** Fewer columns for the descriptions, and each stands on lines of its own. */
export const LEAST_DESCRIPTION = 30
export const DEEP = 6

/** Three columns, of which the last is broken into lines. */
export function table(rows: readonly TableRow[], width: number, palette: Palette): string[] {
  const nameWidth = Math.max(0, ...rows.map(({ name }) => name.length)) + 2
  const typeWidth = Math.max(0, ...rows.map(({ type }) => type.length).filter(length => length <= MAX_TYPE)) + 2
  const column = 2 + nameWidth + typeWidth
  const isNarrow = width - column < LEAST_DESCRIPTION
  const indent = isNarrow ? DEEP : column
  return rows.map(({ name, type, description }) => {
    const begin = isNarrow || type.length > MAX_TYPE ? `\n${' '.repeat(indent)}` : ''
    const end = description === '' ? '' : `${begin}${wrapWords(description, indent, width)}`
    return `  ${palette.accent(name.padEnd(nameWidth))}${type.padEnd(typeWidth)}${end}`.replaceAll(/ +$/gm, '')
  })
}

import type { Palette } from '../../reports/src/index.js'

export interface TableRow {
  name: string
  type: string
  description: string
}

/** After a type longer than this the description begins on a line of its own. */
const MAX_TYPE = 34
/** Fewer columns for the descriptions, and each stands on lines of its own. */
const LEAST_DESCRIPTION = 30
const DEEP = 6

/** Three columns, of which the last is broken into lines. */
export function table(rows: readonly TableRow[], width: number, palette: Palette): string[] {
  const nameWidth = Math.max(0, ...rows.map(({ name }) => name.length)) + 2
  const typeWidth = Math.max(0, ...rows.map(({ type }) => type.length).filter(length => length <= MAX_TYPE)) + 2
  const column = 2 + nameWidth + typeWidth
  const isNarrow = width - column < LEAST_DESCRIPTION
  const indent = isNarrow ? DEEP : column
  return rows.map(({ name, type, description }) => {
    const begin = isNarrow || type.length > MAX_TYPE ? `\n${' '.repeat(indent)}` : ''
    const end = description === '' ? '' : `${begin}${wrap(description, indent, width)}`
    return `  ${palette.accent(name.padEnd(nameWidth))}${type.padEnd(typeWidth)}${end}`.replaceAll(/ +$/gm, '')
  })
}

/** Breaks text into lines of at most `width` columns, the further ones indented. */
export function wrap(text: string, indent: number, width: number): string {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!
    if (line !== '' && indent + line.length + word.length >= width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join(`\n${' '.repeat(indent)}`)
}

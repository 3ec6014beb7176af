import { wrapWords } from '../../../0-text/src/index.js'

const GAP = 2
/** Least width of a column. */
const LEAST_COLUMN = 12
const DEEPER = ' '.repeat(4)

/**
 * Renders a table in at most `width` columns: side by side with wrapped cells; or, if that does not fit, one paragraph
 * for each cell, with each row's first cell outdented.
 */
export function tableText(rows: readonly (readonly string[])[], width: number): string[] {
  const [head = [], ...body] = rows
  const widths = columnWidths(rows, width)
  if (widths === undefined) {
    return body.flatMap((row, index) => [...(index > 0 ? [''] : []), ...rowAsList(head, row, width)])
  }
  const rule = widths.map((columns) => '-'.repeat(columns)).join(' '.repeat(GAP))
  return [...rowLines(head, widths), rule, ...body.flatMap((row) => rowLines(row, widths))]
}

/**
 * Column widths, taken from the widest until all fit; `undefined` where that would break words or make columns too
 * narrow.
 */
function columnWidths(rows: readonly (readonly string[])[], width: number): number[] | undefined {
  const columns = Math.max(...rows.map((row) => row.length))
  const cellsOf = (column: number): string[] => rows.map((row) => row[column] ?? '')
  const widths = Array.from({ length: columns }, (_, column) => longest(cellsOf(column)))
  const least = widths.map((wanted, column) => (
    Math.min(wanted, Math.max(LEAST_COLUMN, longest(cellsOf(column).flatMap((cell) => cell.split(' ')))))
  ))
  const room = width - GAP * (columns - 1)
  if (sum(least) > room) return undefined
  while (sum(widths) > room) {
    const spare = widths.map((wanted, column) => (wanted > least[column]! ? wanted : 0))
    widths[spare.indexOf(Math.max(...spare))]! -= 1
  }
  return widths
}

function rowLines(row: readonly string[], widths: readonly number[]): string[] {
  const cells = widths.map((columns, column) => wrapWords(row[column] ?? '', 0, columns).split('\n'))
  const height = Math.max(...cells.map((lines) => lines.length))
  return Array.from({ length: height }, (_, index) => (
    cells.map((lines, column) => (lines[index] ?? '').padEnd(widths[column]!)).join(' '.repeat(GAP)).trimEnd()
  ))
}

function rowAsList(head: readonly string[], row: readonly string[], width: number): string[] {
  const [first = '', ...others] = row
  const further = others.flatMap((cell, index) => {
    const lead = `  ${head[index + 1] ?? ''}: `
    if (cell === '') return []
    // A word too long for the rest of the line goes on its own line.
    if (lead.length + cell.split(' ', 1)[0]!.length < width) return [lead + wrapWords(cell, lead.length, width)]
    return [lead.trimEnd(), `${DEEPER}${wrapWords(cell, DEEPER.length, width)}`]
  })
  return [wrapWords(first, 0, width), ...further]
}

function longest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

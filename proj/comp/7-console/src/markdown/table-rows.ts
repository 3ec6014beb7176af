import type { Palette } from '../../../1-reports/src/index.js'
import { textWidth, wrapText } from '../../../2-terminal/src/index.js'
import { inlineSpans, type Span } from './inline-spans.js'
import { paintedRows } from './painted-rows.js'

const DELIMITERS = /^\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$/
const GAP = 2
/** A column that is narrower says nothing: then each row becomes a list. */
const NARROWEST = 6

export interface TableLook {
  width: number
  palette: Palette
  rule: string
  /** Columns that a column has at least. Default 6. */
  narrowest?: number | undefined
}

/** Lines that begin with a bar, as a table that fits; `undefined` where they are none. */
export function tableRows(lines: readonly string[], look: TableLook): string[] | undefined {
  const [head = '', delimiters = '', ...body] = lines
  if (!DELIMITERS.test(delimiters.trim())) return undefined
  const titles = cellsOf(head)
  if (cellsOf(delimiters).length !== titles.length) return undefined
  // A row with more cells than the table keeps them: nothing is lost.
  const rows = body.map(cellsOf)
  const count = Math.max(titles.length, ...rows.map((row) => row.length))
  const all = [titles, ...rows].map((row) => Array.from({ length: count }, (_, at) => inlineSpans(row[at] ?? '')))
  const widths = fitted(
    Array.from({ length: count }, (_, at) => Math.max(1, ...all.map((row) => textWidth(plainOf(row[at] ?? []))))),
    look.width - GAP * (count - 1), look.narrowest ?? NARROWEST,
  )
  if (widths) return aligned(all, widths, look)
  return body.length > 0 ? listed(all, look) : undefined
}

function cellsOf(line: string): string[] {
  return line.trim().replace(/^\|/, '').replace(/(?<!\\)\|$/, '').split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
}

function plainOf(spans: readonly Span[]): string {
  return spans.map(({ text }) => text).join('')
}

/** Takes from the widest columns until all fit. */
function fitted(widths: readonly number[], room: number, narrowest: number): number[] | undefined {
  const shrunk = [...widths]
  let left = shrunk.reduce((sum, width) => sum + width, 0) - room
  for (; left > 0; left--) {
    const widest = shrunk.indexOf(Math.max(...shrunk))
    if ((shrunk[widest] ?? 0) <= narrowest) return undefined
    shrunk[widest] = (shrunk[widest] ?? 0) - 1
  }
  return shrunk
}

function aligned(
  all: readonly (readonly Span[])[][], widths: readonly number[], { palette, rule }: TableLook,
): string[] {
  return all.flatMap((row, index) => {
    const cells = row.map((spans, at) => {
      const width = widths[at] ?? 1
      const painted = paintedRows(index === 0 ? spans.map(asTitle) : spans, width, palette)
      const lengths = wrapText(plainOf(spans), width).map((text) => textWidth(text.trimEnd()))
      const gaps = lengths.map((length) => ' '.repeat(Math.max(0, width - length)))
      return { painted, gaps, empty: ' '.repeat(width) }
    })
    const height = Math.max(...cells.map(({ painted }) => painted.length))
    const rows = Array.from({ length: height }, (_, line) => cells.map(({ painted, gaps, empty }) => (
      `${painted[line] ?? empty}${gaps[line] ?? ''}`
    )).join(' '.repeat(GAP)).trimEnd())
    return index === 0 ? [...rows, palette.faint(widths.map((room) => rule.repeat(room)).join(' '.repeat(GAP)))] : rows
  })
}

/** For a terminal that is too narrow: a block of lines for each row. */
function listed(all: readonly (readonly Span[])[][], { width, palette, rule }: TableLook): string[] {
  const [titles = [], ...rows] = all
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [palette.faint(rule.repeat(Math.min(width, 3)))]),
    ...row.flatMap((spans, at) => {
      const title = (titles[at] ?? []).map(asTitle)
      const named: Span[] = title.length === 0 ? [] : [...title, { text: ': ', strong: true }]
      return paintedRows([...named, ...spans], width, palette)
    }),
  ])
}

function asTitle(span: Span): Span {
  return { ...span, strong: true }
}

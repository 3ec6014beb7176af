import { printable } from '../../../0-text/src/index.js'
import type { Palette } from '../../../1-reports/src/index.js'
import { wrapText } from '../../../2-terminal/src/index.js'
import { ArrivingLines, HELD_END, INDENT } from './arriving-lines.js'
import { inlineSpans } from './inline-spans.js'
import { paintedRows } from './painted-rows.js'
import { tableRows } from './table-rows.js'

/** A longer line is shown in parts, in UTF-16 units. */
const MOST_LINE = 2000
/** Lines of a table that are waited for. */
const MOST_TABLE = 200
const LONGEST_RULE = 40
const FENCE = /^\s*(`{3,}|~{3,})([^`]*)$/
const HEADING = /^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const QUOTE = /^ {0,3}((?:>[ \t]?)+)(.*)$/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])([ \t]+)(.*)$/
const TABLE = /^ {0,3}\|/

/** Of code whose fences are left out. */
const CODE_INDENT = '  '

/** Code that is open. */
interface Fence {
  mark: string
  isDiff: boolean
}

/** Signs that not every terminal can show. */
export interface Signs {
  bullet: string
  bar: string
  rule: string
}

/**
 * Markdown that arrives in pieces, as rows of a terminal: each line is shown as it reads when it has ended, a table
 * when it has. Indented, and with control characters shown as escapes, as all that a model says.
 */
export class MarkdownFlow {
  readonly #lines = new ArrivingLines()
  /** What comes next belongs to a line whose beginning is shown: nothing in it begins a heading or code. */
  #isWithin = false
  /** The mark that the code ends with. */
  #fence: Fence | undefined
  #table: string[] = []

  /**
   * @param form `narrowest`: of the columns of a table; one that would need narrower ones becomes a list. `isWhole`:
   *   the text is at hand as a whole: of its code, which may be copied, no line is broken, and the marks of its fences
   *   are left out
   */
  constructor(
    private readonly palette: Palette, private readonly signs: Signs,
    private readonly form: { narrowest?: number; isWhole?: true } = {},
  ) {}

  /** The rows that are finished by this piece. */
  push(piece: string, columns: number): string[] {
    const lines = this.#lines.take(piece)
    if (!lines) return []
    const rows = lines.ended.flatMap((line) => this.#ended(line, columns))
    const { full, rest } = this.#parts(lines.last, columns)
    this.#lines.open = rest
    return [...rows, ...full]
  }

  /** The rows that may still change. */
  open(columns: number): string[] {
    const table = this.#table.flatMap((line) => this.#plain(line, columns))
    const text = this.#lines.open.replace(HELD_END, '')
    return text === '' ? table : [...table, ...this.#shown(text, columns)]
  }

  /** The last rows. A text that follows begins anew. */
  end(columns: number): string[] {
    const { open } = this.#lines
    const rows = [...open === '' ? [] : this.#ended(open, columns), ...this.#endTable(columns)]
    this.#lines.clear()
    this.#fence = undefined
    return rows
  }

  #ended(line: string, columns: number): string[] {
    const { full, rest } = this.#parts(line.replace(/\r$/, ''), columns)
    const rows = [...full, ...this.#line(rest, columns)]
    this.#isWithin = false
    return rows
  }

  /** Of a long line the rows of what is in parts already, and what is not. */
  #parts(line: string, columns: number): { full: string[]; rest: string } {
    const full: string[] = []
    let rest = line
    while (rest.length > MOST_LINE) {
      const end = rest.lastIndexOf(' ', MOST_LINE - 1) + 1 || wholeAt(rest, MOST_LINE)
      full.push(...this.#line(rest.slice(0, end), columns))
      rest = rest.slice(end)
      this.#isWithin = true
    }
    return { full, rest }
  }

  #line(line: string, columns: number): string[] {
    if (this.#isWithin) return [...this.#endTable(columns), ...this.#shown(line, columns)]
    if (this.#fence === undefined && TABLE.test(line) && this.#table.length < MOST_TABLE) {
      this.#table.push(line)
      return []
    }
    const table = this.#endTable(columns)
    const rows = this.#shown(line, columns)
    const { fence, isMark } = fenceAfter(line, this.#fence)
    this.#fence = fence
    return isMark && this.form.isWhole ? table : [...table, ...rows]
  }

  #endTable(columns: number): string[] {
    const lines = this.#table
    if (lines.length === 0) return []
    this.#table = []
    const look = {
      width: columns - INDENT.length - 1, palette: this.palette, rule: this.signs.rule, narrowest: this.form.narrowest,
    }
    const rows = tableRows(lines.map(printable), look)
    return rows ? rows.map(indented) : lines.flatMap((line) => this.#plain(line, columns))
  }

  /** A line as it reads. */
  #shown(line: string, columns: number): string[] {
    const palette = this.palette
    const width = columns - INDENT.length - 1
    if (this.#isWithin) return this.#fence ? this.#plain(line, columns) : this.#hanging('', '', 0, line, width)
    if (fenceAfter(line, this.#fence).isMark) return this.#plain(line, columns, (row) => palette.faint(row))
    if (this.#fence) {
      const { isDiff } = this.#fence
      return this.#plain(line, columns, isDiff ? (row) => paintedChange(row, line, palette) : undefined)
    }
    const heading = HEADING.exec(line)?.[1]
    if (heading !== undefined) {
      const spans = inlineSpans(printable(heading)).map((span) => ({ ...span, strong: true as const }))
      return paintedRows(spans, width, palette).map(indented)
    }
    if (RULE.test(line)) return [indented(palette.faint(this.signs.rule.repeat(Math.min(width, LONGEST_RULE))))]
    const [, marks, quoted = ''] = QUOTE.exec(line) ?? []
    if (marks !== undefined) {
      const depth = marks.replaceAll(/[^>]/g, '').length
      const bars = `${this.signs.bar} `.repeat(Math.min(depth, Math.max(1, Math.floor(width / 8))))
      return this.#hanging(palette.faint(bars), palette.faint(bars), bars.length, quoted, width)
    }
    const [, before, mark, after = '', text = ''] = ITEM.exec(line) ?? []
    if (before !== undefined && mark !== undefined) {
      const sign = /\d/.test(mark) ? mark : this.signs.bullet
      const indent = cutIndent(before, width)
      const room = indent.length + sign.length + Math.min(after.length, 4)
      const first = `${indent}${palette.accent(sign)}${' '.repeat(Math.min(after.length, 4))}`
      return this.#hanging(first, ' '.repeat(room), room, text, width)
    }
    const indent = cutIndent(/^\s*/.exec(line)?.[0] ?? '', width)
    return this.#hanging(indent, indent, indent.length, line.trimStart(), width)
  }

  /** A text behind what its first row begins with, its further rows below it. */
  #hanging(first: string, further: string, room: number, text: string, width: number): string[] {
    const rows = paintedRows(inlineSpans(printable(text)), Math.max(2, width - room), this.palette)
    return rows.map((row, index) => {
      const shown = `${index === 0 ? first : further}${row}`
      return shown.trim() === '' ? '' : indented(shown.trimEnd())
    })
  }

  /** As it was written. */
  #plain(line: string, columns: number, paint: (row: string) => string = (row) => row): string[] {
    const isKept = this.form.isWhole && this.#fence !== undefined
    return (isKept ? [`${CODE_INDENT}${printable(line)}`] : wrapText(printable(line), columns - INDENT.length - 1))
      .map((row) => (row.trimEnd() === '' ? '' : indented(paint(row.trimEnd()))))
  }
}

/** The code that is open behind a line. `isMark`: the line begins or ends it. */
function fenceAfter(line: string, open: Fence | undefined): { fence: Fence | undefined; isMark: boolean } {
  const [, mark = '', info = ''] = FENCE.exec(line) ?? []
  if (open) {
    const isMark = mark.startsWith(open.mark) && info.trim() === ''
    return { fence: isMark ? undefined : open, isMark }
  }
  return mark === '' ? { fence: undefined, isMark: false }
    : { fence: { mark, isDiff: /^\s*(?:diff|patch)\b/.test(info) }, isMark: true }
}

function paintedChange(row: string, line: string, palette: Palette): string {
  return line.startsWith('+') ? palette.good(row) : line.startsWith('-') ? palette.bad(row) : row
}

function indented(row: string): string {
  return row === '' ? '' : `${INDENT}${row}`
}

/** Of a deep indent so much that a text beside it can be read. */
function cutIndent(indent: string, width: number): string {
  return printable(indent).slice(0, Math.floor(width / 2))
}

function wholeAt(text: string, end: number): number {
  return /[\ud800-\udbff]/.test(text[end - 1] ?? '') ? end - 1 : end
}

/** Where cells hold sentences, narrower columns are hard to read. */
const NARROWEST = 16

/** A whole text of Markdown as rows of a terminal with so many columns; lines of code, which are copied, stay whole. */
export function markdownRows(
  text: string, { palette, signs, columns }: { palette: Palette; signs: Signs; columns: number },
): string[] {
  const flow = new MarkdownFlow(palette, signs, { narrowest: NARROWEST, isWhole: true })
  return [...flow.push(text, columns), ...flow.end(columns)]
}

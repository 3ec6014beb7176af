import { printable } from '../../../0-text/src/index.js'
import { wrapText } from '../../../2-terminal/src/index.js'
import { ArrivingLines, HELD_END, INDENT } from '../markdown/index.js'

/** A text that arrives in pieces, as rows of a terminal. */
export interface Flow {
  /** Adds a piece; returns finished rows. */
  push(piece: string, columns: number): string[]
  /** Rows that may still change. */
  open(columns: number): string[]
  /** Ends the text; returns its last rows. A new text may follow. */
  end(columns: number): string[]
}

/**
 * A text that arrives in pieces, as rows of a terminal: indented, so that no line of a model looks like one of hermes'
 * own, and with control characters escaped.
 */
export class TextFlow implements Flow {
  readonly #lines = new ArrivingLines()

  constructor(private readonly paint: (text: string) => string = (text) => text) {}

  /** Adds a piece; returns finished rows. */
  push(piece: string, columns: number): string[] {
    const lines = this.#lines.take(piece)
    if (!lines) return []
    const { last } = lines
    const done = lines.ended.flatMap((line) => this.#rows(line.replace(/\r$/, ''), columns))
    const held = HELD_END.exec(last)?.[0] ?? ''
    const rows = wrapText(printable(last.slice(0, last.length - held.length)), columns - INDENT.length - 1)
    if (rows.length === 1) this.#lines.open = last
    else {
      done.push(...rows.slice(0, -1).map((row) => this.#row(row)))
      this.#lines.open = (rows.at(-1) ?? '') + held
    }
    return done
  }

  /** The row that may still grow, if any. */
  open(columns: number): string[] {
    const { open } = this.#lines
    if (open === '') return []
    return [this.#row(wrapText(printable(open), columns - INDENT.length - 1).at(-1) ?? '')]
  }

  /** Ends the text; returns its last rows. A new text may follow. */
  end(columns: number): string[] {
    const { open } = this.#lines
    const rows = open === '' ? [] : this.#rows(open, columns)
    this.#lines.clear()
    return rows
  }

  #rows(line: string, columns: number): string[] {
    return wrapText(printable(line), columns - INDENT.length - 1).map((row) => this.#row(row))
  }

  #row(row: string): string {
    return row.trimEnd() === '' ? '' : `${INDENT}${this.paint(row.trimEnd())}`
  }
}

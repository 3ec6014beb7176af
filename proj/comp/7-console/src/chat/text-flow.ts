import { escapeControls } from '../../../0-text/src/index.js'
import { wrapText } from '../../../2-terminal/src/index.js'

const INDENT = '  '

/** A text that arrives in pieces, as rows of a terminal. */
export interface Flow {
  /** The rows that are finished by this piece. */
  push(piece: string, columns: number): string[]
  /** The rows that may still change. */
  open(columns: number): string[]
  /** The last rows. A text that follows begins anew. */
  end(columns: number): string[]
}

/**
 * A text that arrives in pieces, as rows of a terminal: indented, so that no line of a model begins where hermes' own
 * do, and with control characters shown as escapes.
 */
export class TextFlow implements Flow {
  readonly #paint: (text: string) => string
  /** Of the last line what is not in a row yet. */
  #open = ''
  #isStarted = false

  constructor(paint: (text: string) => string = (text) => text) {
    this.#paint = paint
  }

  /** The rows that are finished by this piece. */
  push(piece: string, columns: number): string[] {
    const text = this.#isStarted ? piece : piece.replace(/^\s*\n/, '').replace(/^\n+/, '')
    if (text === '') return []
    this.#isStarted = true
    const lines = (this.#open + text).split('\n')
    const last = lines.pop() ?? ''
    const done = lines.flatMap((line) => this.#rows(line.replace(/\r$/, ''), columns))
    // Half of a pair or of a line break, and what joins the next character, wait for the rest.
    const held = /(?:\r|[\u200b-\u200d]*[\ud800-\udbff]?)$/.exec(last)?.[0] ?? ''
    const rows = wrapText(printable(last.slice(0, last.length - held.length)), columns - INDENT.length - 1)
    if (rows.length === 1) this.#open = last
    else {
      done.push(...rows.slice(0, -1).map((row) => this.#row(row)))
      this.#open = (rows.at(-1) ?? '') + held
    }
    return done
  }

  /** The row that may still grow, where there is one. */
  open(columns: number): string[] {
    if (this.#open === '') return []
    return [this.#row(wrapText(printable(this.#open), columns - INDENT.length - 1).at(-1) ?? '')]
  }

  /** The last row. A text that follows begins anew. */
  end(columns: number): string[] {
    const rows = this.#open === '' ? [] : this.#rows(this.#open, columns)
    this.#open = ''
    this.#isStarted = false
    return rows
  }

  #rows(line: string, columns: number): string[] {
    return wrapText(printable(line), columns - INDENT.length - 1).map((row) => this.#row(row))
  }

  #row(row: string): string {
    return row.trimEnd() === '' ? '' : `${INDENT}${this.#paint(row.trimEnd())}`
  }
}

function printable(line: string): string {
  return escapeControls(line).replaceAll('\t', '    ')
}

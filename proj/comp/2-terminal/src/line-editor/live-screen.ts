import { textWidth } from './text-width.js'

/** A terminal for output. */
export interface ScreenOutput {
  readonly columns: number
  readonly rows: number
  write(text: string): unknown
}

/** The changing rows below all printed ones, with colours, and the cursor's position. */
export interface Live {
  rows: readonly string[]
  cursor: { row: number; column: number }
}

const NOTHING: Live = { rows: [''], cursor: { row: 0, column: 0 } }

/**
 * Prints permanent rows above a few changing ones. Rows are shorter than the terminal is wide, so that it wraps none;
 * if it has become narrower, the wrapped rows are counted.
 */
export class LiveScreen {
  #drawn: Live | undefined
  #live: Live = NOTHING

  constructor(private readonly output: ScreenOutput) {}

  /**
   * Prints finished rows above the changing ones, and redraws these; if there are too many for the terminal, the
   * topmost are left out.
   */
  show(live: Live, finished: readonly string[] = []): void {
    this.#live = this.#fitted(live)
    this.output.write(`${this.#erasing()}${finished.map((row) => `${row}\r\n`).join('')}${this.#drawing()}`)
  }

  /**
   * Removes the changing rows: something else writes until the next `show`.
   *
   * @param finished rows to print in their place
   */
  clear(finished: readonly string[] = []): void {
    this.output.write(`${this.#erasing()}${finished.map((row) => `${row}\r\n`).join('')}`)
    this.#live = NOTHING
  }

  /** Clears the screen and redraws the changing rows. */
  wipe(): void {
    this.#drawn = undefined
    this.output.write(`\u001b[2J\u001b[3J\u001b[H${this.#drawing()}`)
  }

  #erasing(): string {
    const drawn = this.#drawn
    this.#drawn = undefined
    if (!drawn) return ''
    const columns = Math.max(1, this.output.columns)
    const heightOf = (row: string): number => Math.max(1, Math.ceil(textWidth(row) / columns))
    const { row, column } = drawn.cursor
    const above = drawn.rows.slice(0, row).reduce((sum, line) => sum + heightOf(line), Math.floor(column / columns))
    // Not from the first cell: tmux would save the screen to its scrollback each time.
    return `${above > 0 ? `\u001b[${above}A` : ''}\r\u001b[K\u001b[C\u001b[J\r`
  }

  #drawing(): string {
    const { rows, cursor } = this.#live
    this.#drawn = this.#live
    const up = rows.length - 1 - cursor.row
    const moveUp = up > 0 ? `\u001b[${up}A` : ''
    const moveRight = cursor.column > 0 ? `\u001b[${cursor.column}C` : ''
    return `${rows.join('\r\n')}${moveUp}\r${moveRight}`
  }

  #fitted({ rows, cursor }: Live): Live {
    const left = Math.min(Math.max(0, rows.length - Math.max(1, this.output.rows - 1)), cursor.row)
    return {
      rows: rows.slice(left, left + Math.max(1, this.output.rows - 1)), cursor: { ...cursor, row: cursor.row - left },
    }
  }
}

import { textWidth } from './text-width.js'

/** A terminal that is written to. */
export interface ScreenOutput {
  readonly columns: number
  readonly rows: number
  write(text: string): unknown
}

/** What stands below all that was printed, and changes: rows with colours, and where the cursor is. */
export interface Live {
  rows: readonly string[]
  cursor: { row: number; column: number }
}

const NOTHING: Live = { rows: [''], cursor: { row: 0, column: 0 } }

/**
 * Prints rows that stay, above a few that change. Each row is shorter than the terminal is wide, so that the terminal
 * breaks none; where it has become narrower since, it is counted what it made of them.
 */
export class LiveScreen {
  readonly #output: ScreenOutput
  #drawn: Live | undefined
  #live: Live = NOTHING

  constructor(output: ScreenOutput) {
    this.#output = output
  }

  /**
   * Puts finished rows above what changes, and shows that anew; of rows that are too many for the terminal the topmost
   * are left out.
   */
  show(live: Live, finished: readonly string[] = []): void {
    this.#live = this.#fitted(live)
    this.#output.write(`${this.#erasing()}${finished.map((row) => `${row}\r\n`).join('')}${this.#drawing()}`)
  }

  /**
   * Takes the rows at the bottom away: somebody else writes now, until the next `show`.
   *
   * @param finished rows that stay in their place
   */
  clear(finished: readonly string[] = []): void {
    this.#output.write(`${this.#erasing()}${finished.map((row) => `${row}\r\n`).join('')}`)
    this.#live = NOTHING
  }

  /** An empty screen with what was at the bottom. */
  wipe(): void {
    this.#drawn = undefined
    this.#output.write(`\u001b[2J\u001b[3J\u001b[H${this.#drawing()}`)
  }

  #erasing(): string {
    const drawn = this.#drawn
    this.#drawn = undefined
    if (!drawn) return ''
    const columns = Math.max(1, this.#output.columns)
    const heightOf = (row: string): number => Math.max(1, Math.ceil(textWidth(row) / columns))
    const { row, column } = drawn.cursor
    const above = drawn.rows.slice(0, row).reduce((sum, one) => sum + heightOf(one), Math.floor(column / columns))
    // Not from the first cell: where that is the screen's, tmux takes it for a screen to keep, each time anew.
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
    const left = Math.min(Math.max(0, rows.length - Math.max(1, this.#output.rows - 1)), cursor.row)
    return {
      rows: rows.slice(left, left + Math.max(1, this.#output.rows - 1)), cursor: { ...cursor, row: cursor.row - left },
    }
  }
}

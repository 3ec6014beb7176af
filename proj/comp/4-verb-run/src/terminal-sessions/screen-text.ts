import { StringDecoder } from 'node:string_decoder'
import { CappedOutput } from '../command-processes/index.js'
import { nextToken, type Control } from './terminal-tokens.js'

/** Longest line, in UTF-16 units; a longer one is passed on in parts. */
const MAX_LINE = 16 * 1024
const TAB_STOP = 8
/* oxlint-disable-next-line no-control-regex -- they are what is looked for */
const LINES = /[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]+/y

/**
 * Emulates a screen, and returns what it shows as plain text: a progress bar that is redrawn leaves one line, colours
 * leave nothing, and the alternate screen is discarded when left. Lines scrolled off the top are kept in bounded
 * memory, from the start and the end; lines are not wrapped.
 */
export class ScreenText {
  readonly #decoder = new StringDecoder('utf8')
  #gone: CappedOutput
  #lines = ['']
  #row = 0
  #column = 0
  /** Number of bytes left out of the text last taken. */
  omitted = 0
  #pending = ''
  /** The main screen, while the alternate one is shown. */
  #main: { lines: string[]; row: number; column: number } | undefined
  #saved = { row: 0, column: 0 }

  /**
   * @param limit bytes of text that are kept
   * @param rows height of the screen
   */
  constructor(private readonly limit: number, private readonly rows: number) {
    this.#gone = new CappedOutput(limit)
  }

  push(bytes: Buffer): void {
    const text = this.#pending + this.#decoder.write(bytes)
    let at = 0
    let looked = 0
    while (at < text.length) {
      if (at >= looked) {
        LINES.lastIndex = at
        const run = LINES.exec(text)?.[0] ?? ''
        looked = at + run.length
        at += this.#printLines(run)
        if (at === text.length) break
      }
      const token = nextToken(text, at)
      if (token === undefined) break
      if (token.text !== undefined) this.#print(token.text)
      else if (token.control) this.#obey(token.control)
      at = token.end
    }
    this.#pending = text.slice(at)
  }

  /** The visible text, without a last word that may be incomplete. */
  get shown(): string {
    return this.#lines.join('\n').replace(/\S+$/, '')
  }

  /** Returns the output since the start, or since the last call; long output without its middle. */
  take(): string {
    this.#gone.push(Buffer.from(this.#lines.join('\n').toWellFormed()))
    const text = this.#gone.text()
    this.omitted = this.#gone.omitted
    this.#gone = new CappedOutput(this.limit)
    this.#eraseScreen(2)
    return text
  }

  /** Fast path for most of long output: appends whole lines below all others. Returns the number of characters used. */
  #printLines(run: string): number {
    const end = run.lastIndexOf('\r\n')
    const last = this.#lines.length - 1
    const begun = this.#lines[last] ?? ''
    if (end === -1 || this.#row !== last || this.#column !== begun.length) return 0
    const lines = run.slice(0, end).split('\r\n')
    if (lines.some(line => line.length + begun.length > MAX_LINE || /[\r\n]/.test(line))) return 0
    this.#lines[last] = begun + (lines[0] ?? '')
    this.#lines = this.#lines.concat(lines.slice(1), '')
    this.#row = this.#lines.length - 1
    this.#column = 0
    this.#scroll(this.#lines.length - this.rows)
    return end + '\r\n'.length
  }

  #print(text: string): void {
    const line = this.#lines[this.#row] ?? ''
    const before = line.length < this.#column ? line.padEnd(this.#column) : line.slice(0, this.#column)
    this.#lines[this.#row] = before + text + line.slice(this.#column + text.length)
    this.#column += text.length
    if (this.#column <= MAX_LINE || this.#row < this.#lines.length - 1) return
    this.#scroll(this.#lines.length - 1)
    this.#gone.push(Buffer.from(this.#lines[0] ?? ''))
    this.#eraseScreen(2)
  }

  #obey({ name, counts, isPrivate }: Control): void {
    const [first] = counts
    const count = Math.max(1, first ?? 1)
    switch (name) {
      case '\n': case '\v': case '\f': case 'ESC D': return this.#down()
      case 'ESC E': this.#column = 0; return this.#down()
      case '\r': this.#column = 0; return
      case '\b': this.#column = Math.max(0, this.#column - 1); return
      case '\t': return this.#tab()
      case 'A': case 'F': case 'ESC M':
        this.#row = Math.max(0, this.#row - count)
        if (name === 'F') this.#column = 0
        return
      case 'B': case 'E':
        this.#toRow(this.#row + count)
        if (name === 'E') this.#column = 0
        return
      case 'C': this.#column = Math.min(MAX_LINE, this.#column + count); return
      case 'D': this.#column = Math.max(0, this.#column - count); return
      case 'G': case '`': this.#column = Math.min(MAX_LINE, count - 1); return
      case 'd': return this.#toRow(count - 1)
      case 'H': case 'f':
        this.#toRow(count - 1)
        this.#column = Math.min(MAX_LINE, Math.max(1, counts[1] ?? 1) - 1)
        return
      case 'J': return this.#eraseScreen(first ?? 0)
      case 'K': return this.#eraseLine(first ?? 0)
      case 'P': return this.#edit((line, at) => line.slice(0, at) + line.slice(at + count))
      case 'X': return this.#edit((line, at) =>
        line.slice(0, at) + ' '.repeat(Math.min(count, line.length - at)) + line.slice(at + count))
      case '@': return this.#edit((line, at) =>
        line.slice(0, at) + ' '.repeat(Math.min(count, MAX_LINE)) + line.slice(at))
      case 'L': this.#lines.splice(
        this.#row, 0, ...Array.from({ length: Math.min(count, this.rows) }, () => ''),
      ); return
      case 'M': this.#lines.splice(this.#row, count); return this.#toRow(this.#row)
      case 's': case 'ESC 7': this.#saved = { row: this.#row, column: this.#column }; return
      case 'u': case 'ESC 8': this.#toRow(this.#saved.row); this.#column = this.#saved.column; return
      case 'ESC c': return this.#eraseScreen(2)
      case 'h': case 'l': if (isPrivate
        && counts.some(candidate => [47, 1047, 1049].includes(candidate))) this.#switchScreen(name === 'h')
    }
  }

  #down(): void {
    this.#row++
    if (this.#row === this.#lines.length) this.#lines.push('')
    this.#scroll(this.#lines.length - this.rows)
  }

  /** Moves lines off the top of the screen; they can no longer change. */
  #scroll(count: number): void {
    if (count <= 0) return
    const gone = this.#lines.splice(0, count)
    if (!this.#main) this.#gone.push(Buffer.from(`${gone.join('\n')}\n`))
    this.#row = Math.max(0, this.#row - count)
  }

  #toRow(row: number): void {
    this.#row = Math.min(row, this.rows - 1)
    while (this.#lines.length <= this.#row) this.#lines.push('')
  }

  #tab(): void {
    if (this.#column >= (this.#lines[this.#row] ?? '').length) this.#print('\t')
    else this.#column += TAB_STOP - this.#column % TAB_STOP
  }

  #edit(change: (line: string, at: number) => string): void {
    const line = this.#lines[this.#row] ?? ''
    if (this.#column < line.length) this.#lines[this.#row] = change(line, this.#column)
  }

  #eraseLine(which: number): void {
    if (which === 0) this.#edit((line, at) => line.slice(0, at))
    else if (which === 2) this.#lines[this.#row] = ''
    else this.#edit((line, at) => ' '.repeat(at + 1) + line.slice(at + 1))
  }

  #eraseScreen(which: number): void {
    if (which === 0) {
      this.#eraseLine(0)
      this.#lines.length = this.#row + 1
    } else if (which === 1) {
      this.#eraseLine(1)
      this.#lines.fill('', 0, this.#row)
    } else {
      this.#lines = ['']
      this.#row = 0
      this.#column = 0
    }
  }

  #switchScreen(isAlternate: boolean): void {
    if (isAlternate === (this.#main !== undefined)) return
    if (isAlternate) {
      this.#main = { lines: this.#lines, row: this.#row, column: this.#column }
      this.#eraseScreen(2)
    } else if (this.#main) {
      [this.#lines, this.#row, this.#column] = [this.#main.lines, this.#main.row, this.#main.column]
      this.#main = undefined
    }
  }
}

import { StringDecoder } from 'node:string_decoder'
import type { LineEditorOptions } from './line-editor.js'

export type PlainLinesOptions = Pick<LineEditorOptions, 'input' | 'write' | 'history'>

export interface PlainListener {
  /**
   * A submitted line.
   *
   * @param isAnswer it was typed at the visible prompt
   */
  enter(text: string, isAnswer: boolean): void
  /** Ctrl-D, or the end of the input. */
  end(): void
}

/**
 * Input from a terminal without escape sequences: the system edits the line, and printed text stays. When closed,
 * others may read it.
 */
export class PlainLines {
  readonly #decoder = new StringDecoder('utf8')
  /** The incomplete line. */
  #begun = ''
  #isPrompted = false
  #isOpen = false
  readonly #take = (piece: Buffer | string): void => {
    const text = this.#begun + (typeof piece === 'string' ? piece : this.#decoder.write(piece))
    const lines = text.split(/\r?\n/)
    this.#begun = lines.pop() ?? ''
    for (const line of lines) this.#enter(line)
  }
  readonly #end = (): void => this.listener.end()

  constructor(private readonly options: PlainLinesOptions, private readonly listener: PlainListener) {
    options.input.on('end', this.#end)
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.options.input.on('data', this.#take)
    this.options.input.resume()
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.options.input.off('data', this.#take)
    this.options.input.pause()
  }

  /** Closes it, and stops listening for the end of input. */
  dispose(): void {
    this.close()
    this.#leavePrompt()
    this.options.input.off('end', this.#end)
  }

  /** Prints the prompt, unless it is there already. */
  prompt(): void {
    if (this.#isPrompted) return
    this.#isPrompted = true
    this.options.write('> ')
  }

  /** Prints rows; a visible prompt stays above them. */
  print(rows: readonly string[]): void {
    if (rows.length === 0) return
    this.#leavePrompt()
    this.options.write(rows.map((row) => `${row}\n`).join(''))
  }

  #leavePrompt(): void {
    if (this.#isPrompted) this.options.write('\n')
    this.#isPrompted = false
  }

  #enter(line: string): void {
    const isAnswer = this.#isPrompted
    this.#isPrompted = false
    if (line.trim() !== '') this.options.history.add(line.trimEnd())
    this.listener.enter(line, isAnswer)
  }
}

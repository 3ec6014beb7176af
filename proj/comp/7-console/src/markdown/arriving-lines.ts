/** No line of a model begins where hermes' own do. */
export const INDENT = '  '
/** Half of a pair or of a line break, and what joins the next character, wait for the rest. */
export const HELD_END = /(?:\r|[\u200b-\u200d]*[\ud800-\udbff]?)$/

/** The lines of a text that arrives in pieces, without the empty ones before it. */
export class ArrivingLines {
  /** Of the last line what is not shown yet. */
  open = ''
  #isStarted = false

  /** @returns the lines that this piece ends, and the one that goes on; `undefined` where it adds nothing */
  take(piece: string): { ended: string[]; last: string } | undefined {
    const text = this.#isStarted ? piece : piece.replace(/^\s*\n/, '').replace(/^\n+/, '')
    if (text === '') return undefined
    this.#isStarted = true
    const ended = (this.open + text).split('\n')
    const last = ended.pop() ?? ''
    return { ended, last }
  }

  /** A text that follows begins anew. */
  clear(): void {
    this.open = ''
    this.#isStarted = false
  }
}

import { Transform, type TransformCallback } from 'node:stream'

const START = '\u001b[200~'
const END = '\u001b[201~'
/** A mark may come in two pieces; the Escape key comes alone. In milliseconds. */
const PIECES_MS = 30
/**
 * What comes right behind a paste is no key: nobody is as fast, but a pasted text that holds a mark of its own can go
 * on behind it, and press Enter. In milliseconds without anything.
 */
const BEHIND_MS = 50

/**
 * Takes what is pasted out of the keys of a terminal: between the two marks of bracketed paste nothing is a key, so
 * that no pasted text presses Enter or Tab. Emits `paste` with each whole text, line breaks as LF.
 */
export class PasteFilter extends Transform {
  #held = ''
  /** Pieces of what is being pasted. */
  #pasted: string | undefined
  #timer: NodeJS.Timeout | undefined
  #keysFrom = 0
  readonly #terminal: NodeJS.ReadStream
  readonly #behindMs: number
  readonly isTTY = true

  constructor(terminal: NodeJS.ReadStream, behindMs = BEHIND_MS) {
    super({ decodeStrings: false, encoding: 'utf8' })
    this.#terminal = terminal
    this.#behindMs = behindMs
  }

  /** For readline, which takes this for the terminal. */
  setRawMode(isRaw: boolean): this {
    this.#terminal.setRawMode(isRaw)
    return this
  }

  override _transform(chunk: Buffer | string, _: BufferEncoding, done: TransformCallback): void {
    clearTimeout(this.#timer)
    let rest = this.#held + String(chunk)
    this.#held = ''
    for (;;) {
      const mark = this.#pasted === undefined ? START : END
      const at = rest.indexOf(mark)
      if (at === -1) break
      this.#take(rest.slice(0, at))
      rest = rest.slice(at + mark.length)
      if (this.#pasted === undefined) this.#pasted = ''
      else {
        const pasted = this.#pasted
        this.#pasted = undefined
        this.#keysFrom = performance.now() + this.#behindMs
        this.emit('paste', pasted.replace(/\r\n?/g, '\n'))
      }
    }
    const held = endOf(rest, this.#pasted === undefined ? START : END)
    this.#take(rest.slice(0, rest.length - held))
    this.#held = rest.slice(rest.length - held)
    if (held > 0) {
      this.#timer = setTimeout(() => {
        this.#take(this.#held)
        this.#held = ''
      }, PIECES_MS)
    }
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#timer)
    done(error)
  }

  #take(text: string): void {
    if (text === '') return
    const now = performance.now()
    if (this.#pasted !== undefined) this.#pasted += text
    else if (now >= this.#keysFrom) this.push(text)
    else this.#keysFrom = now + this.#behindMs
  }
}

/** How many characters at the end of a text may begin a mark. */
function endOf(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length
  }
  return 0
}

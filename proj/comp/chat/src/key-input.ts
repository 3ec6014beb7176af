import { emitKeypressEvents } from 'node:readline'
import { PassThrough } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Key } from './line-editor.js'

/** The terminal that keys come from. */
export interface KeySource {
  readonly isTTY?: boolean
  setRawMode?(mode: boolean): unknown
  on(event: 'data', listener: (piece: Buffer | string) => void): unknown
  on(event: 'end', listener: () => void): unknown
  off(event: 'data', listener: (piece: Buffer | string) => void): unknown
  pause(): unknown
  resume(): unknown
}

export interface KeyListener {
  key(typed: string | undefined, key: Key): void
  /** A text that was pasted, line breaks and all. */
  paste(text: string): void
  end(): void
}

const PASTE_ON = '\u001b[?2004h'
const PASTE_OFF = '\u001b[?2004l'
const PASTE_BEGINS = '\u001b[200~'
const PASTE_ENDS = '\u001b[201~'

/** Reads keys while it is open; closed, the terminal is in line mode again and others may read it. */
export class KeyInput {
  readonly #source: KeySource
  readonly #write: (text: string) => void
  readonly #listener: KeyListener
  readonly #keys = new PassThrough()
  readonly #decoder = new StringDecoder('utf8')
  readonly #pass = (piece: Buffer | string): void => {
    const text = this.#held + (typeof piece === 'string' ? piece : this.#decoder.write(piece))
    this.#held = ''
    // What was typed before keys were read came in line mode, where Enter is a line feed.
    this.#read(this.#isFirst ? text.replaceAll('\n', '\r') : text)
    this.#isFirst = false
  }
  #isFirst = true
  /** The beginning of what may become a mark of a paste. */
  #held = ''
  #pasted: string | undefined
  #isOpen = false

  constructor(source: KeySource, write: (text: string) => void, listener: KeyListener) {
    this.#source = source
    this.#write = write
    this.#listener = listener
    emitKeypressEvents(this.#keys)
    this.#keys.on('keypress', (typed: string | undefined, key: Key) => listener.key(typed, key))
    source.on('end', () => listener.end())
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#source.setRawMode?.(true)
    this.#write(PASTE_ON)
    this.#source.on('data', this.#pass)
    this.#source.resume()
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#source.off('data', this.#pass)
    this.#source.pause()
    this.#write(PASTE_OFF)
    this.#source.setRawMode?.(false)
  }

  /** Keys one by one, but a paste as a whole: one of a megabyte is no million of keys. */
  #read(text: string): void {
    let rest = text
    while (rest !== '') {
      const isPaste = this.#pasted !== undefined
      const mark = isPaste ? PASTE_ENDS : PASTE_BEGINS
      const at = rest.indexOf(mark)
      this.#held = at === -1 ? beginningOf(mark, rest) : ''
      const own = rest.slice(0, at === -1 ? rest.length - this.#held.length : at)
      if (isPaste) this.#pasted += own
      // Straight to readline's own reader: the stream would hand it on later, behind a paste.
      else if (own !== '') this.#keys.emit('data', own)
      if (at === -1) return
      rest = rest.slice(at + mark.length)
      if (isPaste) this.#listener.paste(this.#pasted ?? '')
      this.#pasted = isPaste ? undefined : ''
    }
  }
}

/** What a text ends in of a mark that is cut off; Esc alone is a key. */
function beginningOf(mark: string, text: string): string {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) {
      return text === '\u001b' && mark === PASTE_BEGINS ? '' : mark.slice(0, length)
    }
  }
  return ''
}

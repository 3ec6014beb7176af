import { emitKeypressEvents } from 'node:readline'
import { PassThrough } from 'node:stream'
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

/** Reads keys while it is open; closed, the terminal is in line mode again and others may read it. */
export class KeyInput {
  readonly #source: KeySource
  readonly #write: (text: string) => void
  readonly #keys = new PassThrough()
  readonly #pass = (piece: Buffer | string): void => {
    // What was typed before keys were read came in line mode, where Enter is a line feed.
    void this.#keys.write(this.#isFirst ? String(piece).replaceAll('\n', '\r') : piece)
    this.#isFirst = false
  }
  #isFirst = true
  #pasted: string | undefined
  #isOpen = false

  constructor(source: KeySource, write: (text: string) => void, listener: KeyListener) {
    this.#source = source
    this.#write = write
    emitKeypressEvents(this.#keys)
    this.#keys.on('keypress', (typed: string | undefined, key: Key) => this.#heard(typed, key, listener))
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

  #heard(typed: string | undefined, key: Key, listener: KeyListener): void {
    if (key.name === 'paste-start') this.#pasted = ''
    else if (key.name === 'paste-end') {
      const text = this.#pasted ?? ''
      this.#pasted = undefined
      listener.paste(text)
    } else if (this.#pasted !== undefined) this.#pasted += typed ?? key.sequence ?? ''
    else listener.key(typed, key)
  }
}

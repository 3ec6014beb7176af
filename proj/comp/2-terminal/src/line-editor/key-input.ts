import { emitKeypressEvents } from 'node:readline'
import { PassThrough } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Key } from './line.js'
import { PasteGuard } from './paste-guard.js'

/** A terminal as the source of keys. */
export interface KeySource {
  readonly isTTY?: boolean
  setRawMode?(mode: boolean): unknown
  on(event: 'data', listener: (piece: Buffer | string) => void): unknown
  on(event: 'end', listener: () => void): unknown
  off(event: 'data', listener: (piece: Buffer | string) => void): unknown
  off(event: 'end', listener: () => void): unknown
  pause(): unknown
  resume(): unknown
}

export interface KeyListener {
  key(typed: string | undefined, key: Key): void
  /** A pasted text, with LF line breaks. */
  paste(text: string): void
  end(): void
}

export const PASTE_ON = '\u001b[?2004h'
export const PASTE_OFF = '\u001b[?2004l'

/** Reads keys while open; when closed, the terminal is in line mode again and others may read it. */
export class KeyInput {
  readonly #keys = new PassThrough()
  readonly #decoder = new StringDecoder('utf8')
  readonly #guard: PasteGuard
  readonly #end: () => void
  readonly #pass = (piece: Buffer | string): void => {
    this.#guard.push(typeof piece === 'string' ? piece : this.#decoder.write(piece))
    this.#isFirst = false
  }
  #isFirst = true
  #isFollowed = false
  #isOpen = false

  constructor(
    private readonly source: KeySource, private readonly write: (text: string) => void, listener: KeyListener,
  ) {
    this.#guard = new PasteGuard({
      keys: (text) => this.#emit(text),
      paste: (text) => listener.paste(text),
    })
    this.#end = () => {
      this.#guard.pause()
      listener.end()
    }
    emitKeypressEvents(this.#keys)
    this.#keys.on('keypress', (typed: string | undefined, key: Key) =>
      listener.key(typed, this.#isFollowed ? { ...key, isFollowed: true } : key))
    source.on('end', this.#end)
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.source.setRawMode?.(true)
    this.write(PASTE_ON)
    this.source.on('data', this.#pass)
    this.source.resume()
    this.#guard.resume()
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.source.off('data', this.#pass)
    this.source.pause()
    this.write(PASTE_OFF)
    this.source.setRawMode?.(false)
    this.#guard.pause()
  }

  /** Opens it, or restores the terminal mode after another program used it; an unfinished paste continues. */
  renew(): void {
    if (!this.#isOpen) return this.open()
    this.source.setRawMode?.(false)
    this.source.setRawMode?.(true)
    this.write(PASTE_ON)
    this.source.resume()
  }

  /** Closes it, and stops listening for the end of input. */
  dispose(): void {
    this.close()
    this.source.off('end', this.#end)
  }

  #emit(text: string): void {
    // Text typed before keys were read came in line mode, where Enter is a line feed.
    const parts = (this.#isFirst ? text.replaceAll('\n', '\r') : text).split(/(?<=\t)/)
    for (const [index, part] of parts.entries()) {
      this.#isFollowed = index < parts.length - 1
      // Directly to readline's parser: the stream would deliver it later, behind a paste.
      this.#keys.emit('data', part)
    }
  }
}

import { escapeControls } from './escape.js'

const JOINERS = String.raw`[\u180b-\u180f\u200b-\u200d]`
/**
 * The end of a piece that cannot be judged until more text comes: half of a surrogate pair or of CRLF, joiners, an
 * unfinished flag. The lookbehind makes the search start only at the beginning of a run of joiners.
 */
const HELD = new RegExp(
  String.raw`(?:\r|(?:(?<!${JOINERS})${JOINERS}+)?(?:\u{1f3f4}[\u{e0020}-\u{e007e}]*)?[\ud800-\udbff]?)$`, 'u',
)
/** UTF-16 units before a piece that can affect how its beginning is escaped. */
const CONTEXT = 32

/** `escapeControls` for text in pieces: the output does not depend on where the text is cut. */
export class EscapedStream {
  #before = ''
  #held = ''

  /** The escaped text that is certain by now; line breaks stay. */
  push(piece: string): string {
    const text = this.#held + piece
    this.#held = HELD.exec(text)?.[0] ?? ''
    return this.#shown(text.slice(0, text.length - this.#held.length))
  }

  /** Flushes the rest; the next piece starts a new text. */
  end(): string {
    const rest = this.#shown(this.#held)
    this.#held = ''
    this.#before = ''
    return rest
  }

  #shown(text: string): string {
    const all = this.#before + text.replaceAll('\r\n', '\n')
    const shown = escapeControls(all, true).slice(escapeControls(this.#before, true).length)
    this.#before = all.slice(-CONTEXT).replace(/^[\udc00-\udfff]/, '')
    return shown
  }
}

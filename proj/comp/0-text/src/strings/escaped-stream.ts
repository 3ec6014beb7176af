import { escapeControls } from './escape.js'

const JOINERS = String.raw`[\u180b-\u180f\u200b-\u200d]`
/**
 * What cannot be judged before more has come: half of a pair or of a line break, joiners, a flag of tags, also behind
 * them. A run of joiners is looked at from its beginning only.
 */
const HELD = new RegExp(
  String.raw`(?:\r|(?:(?<!${JOINERS})${JOINERS}+)?(?:\u{1f3f4}[\u{e0020}-\u{e007e}]*)?[\ud800-\udbff]?)$`, 'u',
)
/** Code units before a piece that decide about its beginning. */
const CONTEXT = 32

/** `escapeControls` of a text that comes in pieces: what stays of it does not depend on how it is cut. */
export class EscapedStream {
  #before = ''
  #held = ''

  /** What can be shown by now; line breaks stay. */
  push(piece: string): string {
    const text = this.#held + piece
    this.#held = HELD.exec(text)?.[0] ?? ''
    return this.#shown(text.slice(0, text.length - this.#held.length))
  }

  /** The rest. What follows begins anew. */
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

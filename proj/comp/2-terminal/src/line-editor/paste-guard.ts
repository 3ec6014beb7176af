const START = '\u001b[200~'
const END = '\u001b[201~'
/** Within a paste the mark of a beginning is text like any other. */
const MARKS = { keys: /\u001b\[20[01]~/, paste: /\u001b\[201~/, behind: /\u001b\[20[01]~/ } as const
/** Found where a text, or a part of it, came by a paste. */
export const PASTE_MARK = MARKS.keys
/** A mark may come in two pieces; the Escape key comes alone. In milliseconds. */
const PIECES_MS = 30
/**
 * What comes right behind a paste was not typed: nobody is as fast, but a pasted text that holds the mark of its own
 * end goes on behind it. In milliseconds without anything.
 */
const QUIET_MS = 50

export interface PasteListener {
  /** What was typed, escape sequences and all. */
  keys(text: string): void
  /** A text that was pasted, line breaks as LF. */
  paste(text: string): void
}

/**
 * Tells what was pasted from what was typed, by the marks of bracketed paste. A paste ends with the last mark of its
 * end and silence, not with the first one:
 *
 *     ESC[200~ harmless ESC[201~ rm it \r ESC[201~   (nothing for 50 ms)   \r
 *     `------------------- pasted ---------------'                       typed
 *
 * Nothing that comes in between is lost, and none of it is a key.
 */
export class PasteGuard {
  readonly #listener: PasteListener
  /** `behind`: after the mark of an end, with what came there part of the paste. */
  #state: keyof typeof MARKS = 'keys'
  /** The beginning of what may become a mark. */
  #held = ''
  #pasted = ''
  #timer: NodeJS.Timeout | undefined
  #check: NodeJS.Immediate | undefined

  constructor(listener: PasteListener) {
    this.#listener = listener
  }

  push(text: string): void {
    this.#stopTimers()
    let rest = this.#held + text
    this.#held = ''
    for (;;) {
      const found = MARKS[this.#state].exec(rest)
      if (!found) break
      const [mark] = found
      this.#take(rest.slice(0, found.index))
      rest = rest.slice(found.index + mark.length)
      this.#state = mark === START ? 'paste' : 'behind'
    }
    const held = heldLength(rest, this.#state === 'paste' ? [END] : [START, END])
    this.#take(rest.slice(0, rest.length - held))
    this.#held = rest.slice(rest.length - held)
    if (this.#state === 'behind') this.#timer = setTimeout(() => this.#lookAgain(), QUIET_MS)
    else if (this.#state === 'keys' && held > 0) this.#timer = setTimeout(() => this.#releaseHeld(), PIECES_MS)
  }

  /** Nothing is read from now on; of a paste that is under way the listener gets what has come. */
  pause(): void {
    this.#stopTimers()
    this.#releaseHeld()
    if (this.#state === 'keys') return
    this.#state = 'behind'
    this.#deliver()
  }

  /** Reading goes on: what comes at once may be the rest of a paste. */
  resume(): void {
    if (this.#state === 'behind') this.push('')
  }

  /** The silence may be our own: what came while this process was busy has still to be read. */
  #lookAgain(): void {
    this.#check = setImmediate(() => {
      this.#releaseHeld()
      this.#state = 'keys'
      this.#deliver()
    })
  }

  #releaseHeld(): void {
    const held = this.#held
    this.#held = ''
    this.#take(held)
  }

  #take(text: string): void {
    if (text === '') return
    if (this.#state === 'keys') this.#listener.keys(text)
    else this.#pasted += text
  }

  #deliver(): void {
    const pasted = this.#pasted
    this.#pasted = ''
    if (pasted !== '') this.#listener.paste(pasted.replaceAll(/\r\n?/g, '\n'))
  }

  #stopTimers(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#check)
  }
}

/** How many characters at the end of a text may begin a mark. */
function heldLength(text: string, marks: readonly string[]): number {
  for (let length = Math.min(START.length - 1, text.length); length > 0; length--) {
    if (marks.some((mark) => text.endsWith(mark.slice(0, length)))) return length
  }
  return 0
}

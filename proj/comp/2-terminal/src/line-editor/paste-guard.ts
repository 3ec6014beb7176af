const START = '\u001b[200~'
const END = '\u001b[201~'
/** Inside a paste, a start marker is ordinary text. */
const MARKS = { keys: /\u001b\[20[01]~/, paste: /\u001b\[201~/, behind: /\u001b\[20[01]~/ } as const
/** Matches where pasted text is involved. */
export const PASTE_MARK = MARKS.keys
/** Most milliseconds between two pieces of a marker; the Escape key comes alone. */
const PIECES_MS = 30
/**
 * Silence that ends a paste, in milliseconds. Text right behind the end marker was not typed, as nobody is that fast:
 * pasted text may itself contain the end marker.
 */
const QUIET_MS = 50

export interface PasteListener {
  /** Typed text, escape sequences included. */
  keys(text: string): void
  /** A pasted text, with LF line breaks. */
  paste(text: string): void
}

/**
 * Separates pasted from typed text by the markers of bracketed paste. A paste only ends with its last end marker
 * followed by silence, not with the first one:
 *
 *     ESC[200~ harmless ESC[201~ rm it \r ESC[201~   (nothing for 50 ms)   \r
 *     `------------------- pasted ---------------'                       typed
 *
 * Text in between is not lost, and none of it counts as keys.
 */
export class PasteGuard {
  /** `behind`: after an end marker; text there still belongs to the paste. */
  #state: keyof typeof MARKS = 'keys'
  /** The possible beginning of a marker. */
  #held = ''
  #pasted = ''
  #timer: NodeJS.Timeout | undefined
  #check: NodeJS.Immediate | undefined

  constructor(private readonly listener: PasteListener) {}

  push(text: string): void {
    this.#stopTimers()
    let rest = this.#held + text
    this.#held = ''
    for (;;) {
      const match = MARKS[this.#state].exec(rest)
      if (!match) break
      const [mark] = match
      this.#take(rest.slice(0, match.index))
      rest = rest.slice(match.index + mark.length)
      this.#state = mark === START ? 'paste' : 'behind'
    }
    const held = heldLength(rest, this.#state === 'paste' ? [END] : [START, END])
    this.#take(rest.slice(0, rest.length - held))
    this.#held = rest.slice(rest.length - held)
    if (this.#state === 'behind') this.#timer = setTimeout(() => this.#lookAgain(), QUIET_MS)
    else if (this.#state === 'keys' && held > 0) this.#timer = setTimeout(() => this.#releaseHeld(), PIECES_MS)
  }

  /** Stops reading; delivers what has arrived of an unfinished paste. */
  pause(): void {
    this.#stopTimers()
    this.#releaseHeld()
    if (this.#state === 'keys') return
    this.#state = 'behind'
    this.#deliver()
  }

  /** Resumes reading; text that arrives at once may be the rest of a paste. */
  resume(): void {
    if (this.#state === 'behind') this.push('')
  }

  /** The silence may be due to this process being busy: read pending input first. */
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
    if (this.#state === 'keys') this.listener.keys(text)
    else this.#pasted += text
  }

  #deliver(): void {
    const pasted = this.#pasted
    this.#pasted = ''
    if (pasted !== '') this.listener.paste(pasted.replaceAll(/\r\n?/g, '\n'))
  }

  #stopTimers(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#check)
  }
}

/** Number of characters at the end of a text that may begin a marker. */
function heldLength(text: string, marks: readonly string[]): number {
  for (let length = Math.min(START.length - 1, text.length); length > 0; length--) {
    if (marks.some((mark) => text.endsWith(mark.slice(0, length)))) return length
  }
  return 0
}

import { BlockScanner } from './block-scanner.js'
import { CharSet } from './char-set.js'
import { SECTION_KINDS, type ThoughtTag } from './section-kinds.js'

/** Receives a piece of the answer or of a thought, without the tags of thoughts. */
export type TellPiece = (type: 'text' | 'thought', piece: string) => void

/** First characters of lines that may open a section: such a line is held back until it ends. */
const MAY_OPEN = new CharSet(SECTION_KINDS.map(({ opener }) => opener.charAt(0)).join(''))
/** What gpt-oss writes before and after its answer, if the server leaves it in the text. */
const FINAL_CHANNEL = /^(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>/
const FINAL_END = /<\|(?:return|end)\|>\s*$/

/**
 * Separates answer and thoughts in a text that comes in pieces, by the scanner's decision: think sections in blocks,
 * fences and quotes are text.
 */
export class SpokenText {
  readonly #scanner: BlockScanner
  readonly #tags: ThoughtTag[] = []
  /** Text not passed on yet, and its offset. */
  #held = ''
  #from = 0
  /** Number of characters at its start that were already passed on, as the presumable continuation of a line. */
  #toldAhead = 0
  /** Whether the incomplete line may open a section; `undefined` while it is blank. */
  #mayOpen: boolean | undefined
  #hasEnded = false
  #isThinking = false
  #isFinalChannel = false
  #hasSaid = false
  #said = ''
  #thought = ''

  constructor(private readonly tell: TellPiece = () => undefined) {
    this.#scanner = new BlockScanner(() => undefined, { onThought: (tag) => this.#tags.push(tag) })
  }

  /** The whole answer so far; after an unmatched end of a thought, only what follows that. */
  get said(): string {
    return this.#isFinalChannel ? this.#said.replace(FINAL_END, '') : this.#said
  }

  get thought(): string {
    return this.#thought
  }

  push(piece: string): void {
    this.#held += piece
    this.#scanner.push(piece)
    const begun = piece.slice(piece.lastIndexOf('\n') + 1)
    if (piece.includes('\n')) {
      this.#mayOpen = undefined
      this.#tellTo(this.#from + this.#held.length - begun.length)
    }
    this.#mayOpen ??= mayOpen(begun)
    if (!this.#isThinking && this.#mayOpen === false) this.#take('text', this.#held.length)
  }

  /** The text has ended; further calls do nothing. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#scanner.end()
    this.#tellTo(this.#from + this.#held.length)
  }

  #tellTo(end: number): void {
    for (const { from, to, opens } of this.#tags.splice(0)) {
      if (opens === this.#isThinking) {
        if (!opens) this.#allWasThought(from, to)
      } else if (from >= this.#from) {
        this.#take(this.#isThinking ? 'thought' : 'text', from - this.#from)
        this.#drop(to - from)
        this.#isThinking = opens
      }
    }
    this.#take(this.#isThinking ? 'thought' : 'text', end - this.#from)
  }

  /** Handles an unmatched closing think tag: some servers drop the opening one. */
  #allWasThought(from: number, to: number): void {
    this.#take('text', from - this.#from)
    // A line that could open nothing was passed on at once; the part of it behind the tag belongs to the answer after
    // all.
    const told = this.#from - from
    const behind = this.#said.slice(this.#said.length - Math.max(0, this.#from - to))
    this.#thought += this.#said.slice(0, this.#said.length - told)
    this.#drop(to - this.#from)
    this.#held = behind + this.#held
    this.#from -= behind.length
    this.#toldAhead = behind.length
    this.#said = ''
    this.#hasSaid = false
  }

  #drop(length: number): void {
    if (length <= 0) return
    this.#held = this.#held.slice(length)
    this.#from += length
  }

  #take(type: 'text' | 'thought', length: number): void {
    if (length <= 0) return
    const whole = this.#held.slice(0, length)
    let piece = whole
    const told = Math.min(this.#toldAhead, length)
    this.#toldAhead -= told
    this.#drop(length)
    if (type === 'thought') this.#thought += piece
    else {
      if (!this.#hasSaid) {
        if (this.#thought !== '') piece = piece.replace(/^\s*\n/, '')
        this.#isFinalChannel ||= FINAL_CHANNEL.test(piece)
        piece = piece.replace(FINAL_CHANNEL, '')
      }
      this.#hasSaid ||= piece.trim() !== ''
      this.#said += piece
    }
    const untold = told > 0 ? whole.slice(told) : piece
    if (untold !== '') this.tell(type, untold)
  }
}

function mayOpen(line: string): boolean | undefined {
  const first = line.trimStart()
  return first === '' ? undefined : MAY_OPEN.has(first.charCodeAt(0))
}

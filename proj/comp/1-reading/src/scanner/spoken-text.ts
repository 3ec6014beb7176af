import { BlockScanner } from './block-scanner.js'
import { CharSet } from './char-set.js'
import { SECTION_KINDS, type ThoughtTag } from './section-kinds.js'

/** A piece of what a model says, or of what it thinks; without the tags of the thought. */
export type TellPiece = (type: 'text' | 'thought', piece: string) => void

/** A line that begins so may open a section: it is told when it has ended. */
const MAY_OPEN = new CharSet(SECTION_KINDS.map(({ opener }) => opener.charAt(0)).join(''))
/** What gpt-oss writes before its answer, where the server leaves it in the text, and after it. */
const FINAL_CHANNEL = /^(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>/
const FINAL_END = /<\|(?:return|end)\|>\s*$/

/**
 * Tells what a model says from what it thinks, in a text that comes in pieces, by the scanner's own decision: think
 * sections in blocks, fences and quotes are text.
 */
export class SpokenText {
  readonly #tell: TellPiece
  readonly #scanner: BlockScanner
  readonly #tags: ThoughtTag[] = []
  /** What was not told yet, and where it begins in the text. */
  #held = ''
  #from = 0
  /** Characters at the beginning of what is held that were told already, as what was thought to be more of a text. */
  #toldAhead = 0
  /** Of the line that has not ended; `undefined` while it is blank. */
  #mayOpen: boolean | undefined
  #hasEnded = false
  #isThinking = false
  #isFinalChannel = false
  #hasSaid = false
  #said = ''
  #thought = ''

  constructor(tell: TellPiece = () => undefined) {
    this.#tell = tell
    this.#scanner = new BlockScanner(() => undefined, { onThought: (tag) => this.#tags.push(tag) })
  }

  /** All that was said: where a thought ends that nothing opened, only what comes after it. */
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

  /** No more comes; told again it does nothing. */
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

  /** The closing tag of a thought that nothing opened: some servers leave the opening one out. */
  #allWasThought(from: number, to: number): void {
    this.#take('text', from - this.#from)
    // A line that could open nothing was told as it came: of that, what stands behind the tag is said after all.
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
    if (untold !== '') this.#tell(type, untold)
  }
}

function mayOpen(line: string): boolean | undefined {
  const first = line.trimStart()
  return first === '' ? undefined : MAY_OPEN.has(first.charCodeAt(0))
}

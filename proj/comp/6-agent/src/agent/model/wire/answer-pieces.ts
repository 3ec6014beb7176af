import { clip } from '../../../../../0-text/src/index.js'
import { SpokenText } from '../../../../../1-reading/src/index.js'
import type { MessageCall, Thoughts } from '../../messages.js'
import { BrokenAnswer } from '../model-failure.js'

export interface ModelDelta {
  type: 'text' | 'reasoning'
  text: string
}

/** An answer of the model, whole or as far as the server sent it. */
export interface ModelAnswer {
  /** Without thoughts. */
  text: string
  /** Thoughts, wherever the server put them. */
  reasoning: string
  /** The text as the server sent it. */
  written: string
  calls: MessageCall[]
  /** `stop`, `tool_calls`, `length`, `content_filter`, … */
  finish: string
  /** Tokens, as the server counts them. */
  usage?: TokenUsage
  /** What the server wants back of its thoughts. */
  thoughts?: Thoughts['parts']
}

export interface TokenUsage {
  input: number
  output: number
  cached?: number
}

/**
 * Longest answer that is read, in UTF-16 units, thoughts and all of its calls included (ids and names, too): memory is
 * not endless.
 */
const LONGEST = 32 * 1024 * 1024

/** No list of that many calls is meant: a model that repeats itself without end. */
const MOST_CALLS = 1000

/** A name is written again wherever its call is told of: in UTF-16 units. */
const LONGEST_NAME = 200
/** So are ids. Servers put signatures of thoughts into them; all ids of an answer may be that long. */
const MOST_OF_IDS = 1024 * 1024

const NOTHING_CAME = 'Nothing of an answer came that can be read: check that the server speaks this interface (api: '
  + 'chat, responses or anthropic), else try again later, or another model.'

interface CallInPieces {
  index: number
  id: string
  name: string
  args: string[]
}

/** Puts the pieces of an answer together, of whatever interface. */
export class AnswerPieces {
  /** Nothing of the answer comes any more, whatever the server still sends. */
  isDone = false
  /** Why it ended, in the words of chat completions; `undefined`: it has not. */
  finish: string | undefined
  usage: TokenUsage | undefined
  readonly #onDelta: ((delta: ModelDelta) => void) | undefined
  readonly #calls: CallInPieces[] = []
  /** The one that further pieces are of. */
  readonly #callsAt = new Map<number, CallInPieces>()
  readonly #onText: ((written: string) => void) | undefined
  readonly #written: string[] = []
  readonly #spoken = new SpokenText((type, text) => (
    this.#onDelta?.({ type: type === 'text' ? type : 'reasoning', text })
  ))
  readonly #reasoning: string[] = []
  readonly #parts: Thoughts['parts'] = []
  #length = 0

  /** @param onText is told the text as the server sent it, before `onDelta` is told what of it is said and thought */
  constructor(onDelta?: (delta: ModelDelta) => void, onText?: (written: string) => void) {
    this.#onDelta = onDelta
    this.#onText = onText
  }

  /** The server says that nothing more comes: some tell of no reason, and of an answer without a word that failed. */
  done(): void {
    this.isDone = true
    if (this.#calls.length > 0) this.finish ??= 'tool_calls'
    else if (this.#written.length > 0) this.finish ??= 'stop'
  }

  /** @throws BrokenAnswer where the server stopped before it said that the answer has ended */
  answer(): ModelAnswer {
    if (this.finish === undefined) {
      const isSilent = this.#parts.length === 0 && this.#reasoning.length === 0
      throw new BrokenAnswer('The answer broke off', true, isSilent ? NOTHING_CAME : undefined)
    }
    this.end()
    return {
      text: this.#spoken.said, reasoning: this.#reasoning.join('') + this.#spoken.thought.trim(),
      written: this.#written.join(''), finish: this.finish, calls: this.#wholeCalls(),
      ...(this.usage && { usage: this.usage }),
      ...(this.#parts.some((part) => typeof part === 'object') && { thoughts: this.#parts }),
    }
  }

  /** Nothing more comes: what was still held back is told. */
  end(): void {
    this.#spoken.end()
  }

  /**
   * A piece of a call.
   *
   * @param index of the call in the answer
   * @param id `''` where this piece does not say it, as with `name`
   */
  call(index: number, id: string, name: string, args: string): void {
    const held = this.#callAt(index, id, name)
    if (held.id === '') {
      held.id = id
      this.#count(id)
    }
    if (held.name !== name) {
      held.name += name
      this.#count(name)
    }
    held.args.push(args)
    this.#count(args)
  }

  /** A thought that the server wants back as it is, in its place among the text and the calls. */
  keep(thought: Record<string, unknown>): void {
    this.#parts.push(thought)
    this.#count(JSON.stringify(thought))
  }

  say(piece: unknown): void {
    if (typeof piece !== 'string' || piece === '') return
    if (this.#parts.at(-1) !== 'text') this.#parts.push('text')
    this.#written.push(piece)
    this.#count(piece)
    this.#onText?.(piece)
    this.#spoken.push(piece)
  }

  think(piece: unknown): void {
    if (typeof piece !== 'string' || piece === '') return
    this.#reasoning.push(piece)
    this.#count(piece)
    this.#onDelta?.({ type: 'reasoning', text: piece })
  }

  /** Some servers give all calls index 0, or none: then another id with a name begins another call. */
  #callAt(index: number, id: string, name: string): CallInPieces {
    const held = this.#callsAt.get(index)
    if (held && (id === '' || name === '' || held.id === '' || id === held.id)) return held
    if (this.#calls.length >= MOST_CALLS) throw new BrokenAnswer(`The answer has more than ${MOST_CALLS} calls`, false)
    const fresh = { index, id: '', name: '', args: [] }
    this.#callsAt.set(index, fresh)
    this.#calls.push(fresh)
    this.#parts.push('call')
    return fresh
  }

    #count({ length }: string): void {
    this.#length += length
    if (this.#length > LONGEST) throw new BrokenAnswer(`The answer is longer than ${LONGEST / 1024 / 1024} MiB`, false)
  }

  /** Each with an id of its own: what answers it refers to that. Ids for which there is no room become short ones. */
  #wholeCalls(): MessageCall[] {
    const used = new Set<string>()
    let room = MOST_OF_IDS
    return this.#calls.toSorted((one, other) => one.index - other.index).map(({ id, name, args }, index) => {
      let own = id === '' || id.length > room ? `call_${index + 1}` : id
      while (used.has(own)) own += '_'
      used.add(own)
      room -= own.length
      return {
        id: own, type: 'function', function: { name: clip(name, LONGEST_NAME), arguments: args.join('') },
      }
    })
  }
}

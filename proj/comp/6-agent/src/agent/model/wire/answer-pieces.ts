import { clip } from '../../../../../0-text/src/index.js'
import { SpokenText } from '../../../../../1-reading/src/index.js'
import type { MessageCall, Thoughts } from '../../messages.js'
import { BrokenAnswer } from '../model-failure.js'

export interface ModelDelta {
  type: 'text' | 'reasoning'
  text: string
}

/** An answer of the model, complete or as far as the server sent it. */
export interface ModelAnswer {
  /** Without the thoughts. */
  text: string
  /** Thoughts, from whichever field the server uses. */
  reasoning: string
  /** The text as the server sent it. */
  written: string
  calls: MessageCall[]
  /** `stop`, `tool_calls`, `length`, `content_filter`, … */
  finish: string
  /** Tokens, as the server counts them. */
  usage?: TokenUsage
  /** Thoughts in the form that the server wants back. */
  thoughts?: Thoughts['parts']
}

export interface TokenUsage {
  input: number
  output: number
  cached?: number
}

/**
 * Longest answer that is read, in UTF-16 units, with thoughts and calls (ids and names too), so that memory stays
 * bounded.
 */
const LONGEST = 32 * 1024 * 1024

/** Most calls of an answer: more come only from a model that repeats itself without end. */
const MOST_CALLS = 1000

/** Longest name of a call, in UTF-16 units: it is repeated in every report of the call. */
const LONGEST_NAME = 200
/** Most UTF-16 units of all ids of an answer: some servers put signatures of thoughts into ids. */
const MOST_OF_IDS = 1024 * 1024

const NOTHING_CAME = 'Nothing of an answer came that can be read: check that the server speaks this interface (api: '
  + 'chat, responses or anthropic), else try again later, or another model.'

interface CallInPieces {
  index: number
  id: string
  name: string
  args: string[]
}

/** Assembles an answer from its pieces, for any API. */
export class AnswerPieces {
  /** Whether the answer is complete, whatever the server still sends. */
  isDone = false
  /** Why the answer ended, in the words of chat completions; `undefined` while it has not. */
  finish: string | undefined
  usage: TokenUsage | undefined
  readonly #calls: CallInPieces[] = []
  /** Calls by index: later pieces of an index are appended to its call. */
  readonly #callsAt = new Map<number, CallInPieces>()
  readonly #written: string[] = []
  readonly #spoken = new SpokenText((type, text) => (
    this.onDelta?.({ type: type === 'text' ? type : 'reasoning', text })
  ))
  readonly #reasoning: string[] = []
  readonly #parts: Thoughts['parts'] = []
  #length = 0

  /**
   * @param onText receives the text as the server sent it, before `onDelta` receives it split into text and thoughts
   */
  constructor(
    private readonly onDelta?: (delta: ModelDelta) => void, private readonly onText?: (written: string) => void,
  ) {}

  /**
   * The server says that the answer is complete. If it gave no reason, choose one; an answer without any content stays
   * without, as a failure.
   */
  done(): void {
    this.isDone = true
    if (this.#calls.length > 0) this.finish ??= 'tool_calls'
    else if (this.#written.length > 0) this.finish ??= 'stop'
  }

  /** @throws BrokenAnswer where the server stopped without saying that the answer is complete */
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

  /** Passes on the text that was still held back. */
  end(): void {
    this.#spoken.end()
  }

  /**
   * Adds a piece of a call.
   *
   * @param index of the call in the answer
   * @param id `''` if this piece does not give it; likewise `name`
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

  /** Keeps a thought that the server wants back unchanged, in its place among text and calls. */
  keep(thought: Record<string, unknown>): void {
    this.#parts.push(thought)
    this.#count(JSON.stringify(thought))
  }

  say(piece: unknown): void {
    if (typeof piece !== 'string' || piece === '') return
    if (this.#parts.at(-1) !== 'text') this.#parts.push('text')
    this.#written.push(piece)
    this.#count(piece)
    this.onText?.(piece)
    this.#spoken.push(piece)
  }

  think(piece: unknown): void {
    if (typeof piece !== 'string' || piece === '') return
    this.#reasoning.push(piece)
    this.#count(piece)
    this.onDelta?.({ type: 'reasoning', text: piece })
  }

  /**
   * The call that a piece belongs to. Some servers give all calls index 0, or none: then another id with a name starts
   * another call.
   */
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

  /**
   * The calls, with unique ids, since answers refer to them. Ids that exceed the total limit are replaced by short
   * ones.
   */
  #wholeCalls(): MessageCall[] {
    const used = new Set<string>()
    let room = MOST_OF_IDS
    return this.#calls.toSorted((call, other) => call.index - other.index).map(({ id, name, args }, index) => {
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

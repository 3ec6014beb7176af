import { isRecord } from '../../../../0-contracts/src/index.js'
import { clip } from '../../../../0-text/src/index.js'
import { SpokenText } from '../../../../1-reading/src/index.js'
import type { MessageCall } from '../messages.js'
import { BrokenAnswer } from './model-failure.js'

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
  usage?: { input: number; output: number; cached?: number }
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

interface CallInPieces {
  index: number
  id: string
  name: string
  args: string[]
}

/** Puts the pieces of a chat completion together. What is not of the expected shape is passed over. */
export class AnswerReader {
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
  #finish: string | undefined
  #usage: ModelAnswer['usage']
  #length = 0

  /** @param onText is told the text as the server sent it, before `onDelta` is told what of it is said and thought */
  constructor(onDelta?: (delta: ModelDelta) => void, onText?: (written: string) => void) {
    this.#onDelta = onDelta
    this.#onText = onText
  }

  readChunk(chunk: unknown): void {
    if (!isRecord(chunk)) return
    this.#readUsage(chunk['usage'])
    const choice = Array.isArray(chunk['choices']) ? chunk['choices'][0] as unknown : undefined
    if (!isRecord(choice)) return
    if (typeof choice['finish_reason'] === 'string') this.#finish = choice['finish_reason']
    if (isRecord(choice['delta'])) this.#readMessage(choice['delta'])
  }

  /** A completion that came at once. @throws BrokenAnswer where it is none */
  readWhole(body: unknown): void {
    const choice = isRecord(body) && Array.isArray(body['choices']) ? body['choices'][0] as unknown : undefined
    if (!isRecord(body) || !isRecord(choice) || !isRecord(choice['message'])) {
      const hint = 'Check the base URL and the name of the model.'
      throw new BrokenAnswer('The server answered with JSON that is no completion', false, hint)
    }
    this.#readUsage(body['usage'])
    this.#finish = typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : 'stop'
    this.#readMessage(choice['message'])
  }

  /** The server says that nothing more comes: some tell of no reason, and of an answer without a word that failed. */
  done(): void {
    if (this.#calls.length > 0) this.#finish ??= 'tool_calls'
    else if (this.#written.length > 0) this.#finish ??= 'stop'
  }

  /** @throws BrokenAnswer where the server stopped before it said that the answer has ended */
  answer(): ModelAnswer {
    if (this.#finish === undefined) throw new BrokenAnswer('The answer broke off', true)
    this.end()
    return {
      text: this.#spoken.said, reasoning: this.#reasoning.join('') + this.#spoken.thought.trim(),
      written: this.#written.join(''), finish: this.#finish, calls: this.#wholeCalls(),
      ...(this.#usage && { usage: this.#usage }),
    }
  }

  /** Nothing more comes: what was still held back is told. */
  end(): void {
    this.#spoken.end()
  }

  #readMessage(message: Record<string, unknown>): void {
    this.#think(message['reasoning_content'] ?? message['reasoning'])
    for (const { type, text } of partsOf(message['content'])) {
      if (type === 'text') this.#say(text)
      else this.#think(text)
    }
    // In place of an answer.
    this.#say(message['refusal'])
    if (!Array.isArray(message['tool_calls'])) return
    const calls: unknown[] = message['tool_calls']
    for (const [at, call] of calls.entries()) if (isRecord(call)) this.#readCall(call, at)
  }

  #readCall(call: Record<string, unknown>, at: number): void {
    const index = Number.isInteger(call['index']) ? call['index'] as number : at
    const called = isRecord(call['function']) ? call['function'] : {}
    const [id, name] = [stringOf(call['id']), stringOf(called['name'])]
    const held = this.#callAt(index, id, name)
    if (held.id === '') {
      held.id = id
      this.#count(id)
    }
    if (held.name !== name) {
      held.name += name
      this.#count(name)
    }
    // Some send arguments as they are meant.
    const args = isRecord(called['arguments']) ? JSON.stringify(called['arguments']) : stringOf(called['arguments'])
    held.args.push(args)
    this.#count(args)
  }

  /** Some servers give all calls index 0, or none: then another id with a name begins another call. */
  #callAt(index: number, id: string, name: string): CallInPieces {
    const held = this.#callsAt.get(index)
    if (held && (id === '' || name === '' || held.id === '' || id === held.id)) return held
    if (this.#calls.length >= MOST_CALLS) throw new BrokenAnswer(`The answer has more than ${MOST_CALLS} calls`, false)
    const fresh = { index, id: '', name: '', args: [] }
    this.#callsAt.set(index, fresh)
    this.#calls.push(fresh)
    return fresh
  }

  #say(piece: unknown): void {
    if (typeof piece !== 'string' || piece === '') return
    this.#written.push(piece)
    this.#count(piece)
    this.#onText?.(piece)
    this.#spoken.push(piece)
  }

  #think(piece: unknown): void {
    if (typeof piece !== 'string' || piece === '') return
    this.#reasoning.push(piece)
    this.#count(piece)
    this.#onDelta?.({ type: 'reasoning', text: piece })
  }

  #count({ length }: string): void {
    this.#length += length
    if (this.#length > LONGEST) throw new BrokenAnswer(`The answer is longer than ${LONGEST / 1024 / 1024} MiB`, false)
  }

  #readUsage(usage: unknown): void {
    if (!isRecord(usage)) return
    const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage
    if (!isCount(input) || !isCount(output)) return
    // DeepSeek's interface has a name of its own.
    const cached = isRecord(details) ? details['cached_tokens'] : usage['prompt_cache_hit_tokens']
    this.#usage = { input, output, ...(isCount(cached) && { cached: Math.min(cached, input) }) }
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

/** Some send a text as a list of parts, thoughts among them; pictures and such are passed over. */
function partsOf(content: unknown): ModelDelta[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isRecord).flatMap((part): ModelDelta[] => {
    if (part['type'] === 'thinking') {
      const { thinking } = part
      return (typeof thinking === 'string' ? [thinking] : partsOf(thinking).map(({ text }) => text))
        .map((text) => ({ type: 'reasoning', text }))
    }
    return typeof part['text'] === 'string' ? [{ type: 'text', text: part['text'] }] : []
  })
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

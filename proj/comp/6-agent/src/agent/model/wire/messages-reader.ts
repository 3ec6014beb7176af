import { isRecord } from '../../../../../0-contracts/src/index.js'
import { BrokenAnswer } from '../model-failure.js'
import type { AnswerPieces } from './answer-pieces.js'
import { indexOf, isCount, stringOf, type AnswerReader } from './answer-reader.js'

/** Stop reasons of Anthropic in the words of chat completions. */
const FINISHES: Readonly<Record<string, string>> = {
  end_turn: 'stop', stop_sequence: 'stop', pause_turn: 'stop', tool_use: 'tool_calls', max_tokens: 'length',
  model_context_window_exceeded: 'length', refusal: 'content_filter',
}

/** A block of a message that is still streaming. */
interface OpenBlock {
  type: string
  /** As its start event gave it. */
  block: Record<string, unknown>
  thinking: string
  signature: string
  hasInput: boolean
}

/** Reads Anthropic's Messages. Data of an unexpected shape is ignored. */
export class MessagesReader implements AnswerReader {
  readonly #open = new Map<number, OpenBlock>()

  constructor(private readonly pieces: AnswerPieces) {}

  readEvent(event: unknown): void {
    if (!isRecord(event)) return
    const index = indexOf(event['index'])
    const { type, message, content_block: block, delta } = event
    if (type === 'message_start' && isRecord(message)) this.#readUsage(message['usage'])
    else if (type === 'content_block_start' && isRecord(block)) this.#begin(index, block)
    else if (type === 'content_block_delta' && isRecord(delta)) this.#readDelta(index, delta)
    else if (type === 'content_block_stop') this.#close(index)
    else if (type === 'message_delta') {
      this.#readUsage(event['usage'])
      if (isRecord(delta)) this.#finish(delta['stop_reason'])
    } else if (type === 'message_stop') this.pieces.done()
  }

  readWhole(body: unknown): void {
    if (!isRecord(body) || !Array.isArray(body['content'])) {
      const hint = 'Check the base URL and the name of the model, and that the server knows /messages (api: chat).'
      throw new BrokenAnswer('The server answered with JSON that is no message', false, hint)
    }
    for (const [index, block] of (body['content'] as unknown[]).entries()) {
      if (!isRecord(block)) continue
      this.#begin(index, block)
      this.#close(index)
    }
    this.#readUsage(body['usage'])
    this.#finish(body['stop_reason'])
    this.pieces.done()
  }

  #begin(index: number, block: Record<string, unknown>): void {
    const open = { type: stringOf(block['type']), block, thinking: '', signature: '', hasInput: false }
    this.#open.set(index, open)
    if (open.type === 'text') this.pieces.say(block['text'])
    else if (open.type === 'tool_use') this.pieces.call(index, stringOf(block['id']), stringOf(block['name']), '')
    else if (open.type === 'thinking') {
      this.#think(open, block['thinking'])
      open.signature = stringOf(block['signature'])
    }
  }

  #readDelta(index: number, delta: Record<string, unknown>): void {
    const open = this.#open.get(index)
    if (delta['type'] === 'text_delta') this.pieces.say(delta['text'])
    else if (delta['type'] === 'input_json_delta' && open?.type === 'tool_use') {
      const piece = stringOf(delta['partial_json'])
      open.hasInput ||= piece !== ''
      this.pieces.call(index, '', '', piece)
    } else if (delta['type'] === 'thinking_delta' && open) this.#think(open, delta['thinking'])
    else if (delta['type'] === 'signature_delta' && open) open.signature += stringOf(delta['signature'])
  }

  #think(open: OpenBlock, piece: unknown): void {
    open.thinking += stringOf(piece)
    this.pieces.think(piece)
  }

  #close(index: number): void {
    const open = this.#open.get(index)
    if (!open) return
    this.#open.delete(index)
    const { type, block, thinking, signature, hasInput } = open
    if (type === 'tool_use' && !hasInput) this.pieces.call(index, '', '', JSON.stringify(block['input'] ?? {}))
    // A thought without a signature was not finished.
    else if (type === 'thinking' && signature !== '') this.pieces.keep({ type, thinking, signature })
    else if (type === 'redacted_thinking') this.pieces.keep({ type, data: block['data'] })
  }

  #finish(reason: unknown): void {
    if (typeof reason === 'string') this.pieces.finish = FINISHES[reason] ?? reason
  }

  /** Sums up input tokens: those read from the cache and those written to it are counted separately. */
  #readUsage(usage: unknown): void {
    if (!isRecord(usage)) return
    const known = this.pieces.usage
    const { cache_read_input_tokens: read, cache_creation_input_tokens: written } = usage
    const input = isCount(usage['input_tokens'])
      ? usage['input_tokens'] + (isCount(read) ? read : 0) + (isCount(written) ? written : 0) : known?.input
    const output = isCount(usage['output_tokens']) ? usage['output_tokens'] : known?.output
    if (input === undefined || output === undefined) return
    // The final event repeats only some of the first one's figures.
    const cached = isCount(read) ? read : known?.cached
    this.pieces.usage = {
      input: Math.max(input, known?.input ?? 0), output, ...(cached !== undefined && { cached }),
    }
  }
}

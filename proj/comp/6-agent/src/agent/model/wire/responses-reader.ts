import { isRecord } from '../../../../../0-contracts/src/index.js'
import { BrokenAnswer } from '../model-failure.js'
import { ServerError } from '../server-error.js'
import type { AnswerPieces } from './answer-pieces.js'
import { indexOf, isCount, stringOf, type AnswerReader } from './answer-reader.js'

/** Reads OpenAI's Responses. Data of an unexpected shape is ignored. */
export class ResponsesReader implements AnswerReader {
  /** Indexes of items whose text was streamed before the item was complete. */
  readonly #told = new Set<number>()

  constructor(private readonly pieces: AnswerPieces) {}

  readEvent(event: unknown): void {
    if (!isRecord(event)) return
    const { type, delta, item, response } = event
    const index = indexOf(event['output_index'])
    switch (type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        this.#told.add(index)
        this.pieces.say(delta)
        break
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#told.add(index)
        this.pieces.think(delta)
        break
      // Separate summaries of thoughts, which come without a break in between.
      case 'response.reasoning_summary_part.done':
        this.pieces.think('\n\n')
        break
      case 'response.function_call_arguments.delta':
        this.#told.add(index)
        this.pieces.call(index, '', '', stringOf(delta))
        break
      case 'response.output_item.added':
        if (isRecord(item) && item['type'] === 'function_call') this.#begin(item, index)
        break
      case 'response.output_item.done':
        if (isRecord(item)) this.#readItem(item, index)
        break
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        if (isRecord(response)) this.#end(response)
    }
  }

  readWhole(body: unknown): void {
    if (!isRecord(body) || !Array.isArray(body['output'])) {
      const hint = 'Check the base URL and the name of the model, and that the server knows /responses (api: chat).'
      throw new BrokenAnswer('The server answered with JSON that is no response', false, hint)
    }
    for (const [index, item] of (body['output'] as unknown[]).entries()) if (isRecord(item)) this.#readItem(item, index)
    this.#end(body)
  }

  #begin(item: Record<string, unknown>, index: number): void {
    this.pieces.call(index, stringOf(item['call_id']), stringOf(item['name']), '')
  }

  /** Reads a complete item, except for what was streamed already. */
  #readItem(item: Record<string, unknown>, index: number): void {
    const isTold = this.#told.has(index)
    if (item['type'] === 'message' && !isTold) {
      for (const part of recordsOf(item['content'])) this.pieces.say(part['text'] ?? part['refusal'])
    } else if (item['type'] === 'reasoning') {
      const { id, summary, content, encrypted_content: encrypted } = item
      if (!isTold) {
        for (const { text } of [...recordsOf(summary), ...recordsOf(content)]) this.pieces.think(text)
      }
      // Servers that store nothing recognise a thought only by its content or encrypted content.
      if (typeof encrypted !== 'string' && recordsOf(content).length === 0) return
      this.pieces.keep({
        type: 'reasoning', id, summary: summary ?? [], ...(content !== undefined && { content }),
        ...(typeof encrypted === 'string' && { encrypted_content: encrypted }),
      })
    } else if (item['type'] === 'function_call') {
      this.#begin(item, index)
      if (!isTold) this.pieces.call(index, '', '', stringOf(item['arguments']))
    }
  }

  #end({ status, error, usage, incomplete_details: details }: Record<string, unknown>): void {
    if (isRecord(error) || status === 'failed') {
      throw new ServerError(undefined, error ?? { message: 'The response failed' }, new Headers())
    }
    this.#readUsage(usage)
    const reason = isRecord(details) ? stringOf(details['reason']) : ''
    if (status === 'incomplete') this.pieces.finish = reason === 'content_filter' ? reason : 'length'
    this.pieces.done()
  }

  #readUsage(usage: unknown): void {
    if (!isRecord(usage)) return
    const { input_tokens: input, output_tokens: output, input_tokens_details: details } = usage
    if (!isCount(input) || !isCount(output)) return
    const cached = isRecord(details) ? details['cached_tokens'] : undefined
    this.pieces.usage = { input, output, ...(isCount(cached) && { cached: Math.min(cached, input) }) }
  }
}

function recordsOf(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isRecord) : []
}

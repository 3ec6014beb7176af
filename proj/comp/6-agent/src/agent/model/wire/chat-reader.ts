import { isRecord } from '../../../../../0-contracts/src/index.js'
import { BrokenAnswer } from '../model-failure.js'
import type { AnswerPieces, ModelDelta } from './answer-pieces.js'
import { indexOf, isCount, stringOf, type AnswerReader } from './answer-reader.js'

/** Reads chat completions. Data of an unexpected shape is ignored. */
export class ChatReader implements AnswerReader {
  constructor(private readonly pieces: AnswerPieces) {}

  readEvent(chunk: unknown): void {
    if (!isRecord(chunk)) return
    this.#readUsage(chunk['usage'])
    const choice = Array.isArray(chunk['choices']) ? chunk['choices'][0] as unknown : undefined
    if (!isRecord(choice)) return
    if (typeof choice['finish_reason'] === 'string') this.pieces.finish = choice['finish_reason']
    if (isRecord(choice['delta'])) this.#readMessage(choice['delta'])
  }

  /** Reads a completion that was not streamed. @throws BrokenAnswer where it is none */
  readWhole(body: unknown): void {
    const choice = isRecord(body) && Array.isArray(body['choices']) ? body['choices'][0] as unknown : undefined
    if (!isRecord(body) || !isRecord(choice) || !isRecord(choice['message'])) {
      const hint = 'Check the base URL and the name of the model.'
      throw new BrokenAnswer('The server answered with JSON that is no completion', false, hint)
    }
    this.#readUsage(body['usage'])
    this.pieces.finish = typeof choice['finish_reason'] === 'string' ? choice['finish_reason'] : 'stop'
    this.#readMessage(choice['message'])
  }

  #readMessage(message: Record<string, unknown>): void {
    this.pieces.think(message['reasoning_content'] ?? message['reasoning'])
    for (const { type, text } of partsOf(message['content'])) {
      if (type === 'text') this.pieces.say(text)
      else this.pieces.think(text)
    }
    // A refusal comes in place of the text.
    this.pieces.say(message['refusal'])
    if (!Array.isArray(message['tool_calls'])) return
    const calls: unknown[] = message['tool_calls']
    for (const [at, call] of calls.entries()) if (isRecord(call)) this.#readCall(call, at)
  }

  #readCall(call: Record<string, unknown>, at: number): void {
    const called = isRecord(call['function']) ? call['function'] : {}
    // Some servers send arguments as an object instead of a text.
    const args = isRecord(called['arguments']) ? JSON.stringify(called['arguments']) : stringOf(called['arguments'])
    this.pieces.call(indexOf(call['index'], at), stringOf(call['id']), stringOf(called['name']), args)
  }

  #readUsage(usage: unknown): void {
    if (!isRecord(usage)) return
    const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = usage
    if (!isCount(input) || !isCount(output)) return
    // DeepSeek's API has its own name for it.
    const cached = isRecord(details) ? details['cached_tokens'] : usage['prompt_cache_hit_tokens']
    this.pieces.usage = { input, output, ...(isCount(cached) && { cached: Math.min(cached, input) }) }
  }
}

/** Some servers send a text as a list of parts, including thoughts; images and such are ignored. */
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

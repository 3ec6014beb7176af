import { estimateTokens } from '../../../../1-registry/src/index.js'
import type { ModelAnswer } from './wire/answer-pieces.js'
import type { AgentEvent, TokenCount } from '../events.js'
import { imagesOf, type Message } from '../messages.js'
import type { AgentOptions, TokenPrice } from '../loop-options.js'

/** Tokens added for each message's role and delimiters. */
const AROUND = 4

type UsageEvent = Extract<AgentEvent, { type: 'usage' }>

/** Most tokens that services count for an image of usual size. */
const OF_IMAGE = 1600

/** Estimated tokens of messages. */
export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => (
    sum + AROUND + estimateTokens(textOf(message)) + OF_IMAGE * imagesOf(message).length
  ), 0)
}

function textOf(message: Message): string {
  if (message.role !== 'assistant') return message.content
  const { content, tool_calls: calls = [], reasoning = '' } = message
  return `${content ?? ''}${reasoning}${calls.map(({ function: called }) => called.name + called.arguments).join('')}`
}

/** Counts the tokens of a task, and learns how far the estimate is off for its model. */
export class TokenMeter {
  readonly total: TokenCount
  /** Tokens counted by the server, divided by the estimate. */
  #ratio = 1

  constructor(private readonly prices: Pick<AgentOptions, 'price' | 'prices'>) {
    this.total = { input: 0, output: 0, ...(prices.price && { cost: 0 }) }
  }

  /** @param estimated tokens of the request */
  expected(estimated: number): number {
    return Math.ceil(estimated * this.#ratio)
  }

  /**
   * @param model that answered: each has its own price
   * @param estimated tokens of the request that was answered
   * @param context tokens of the working context in it
   */
  count(answer: ModelAnswer, model: string, estimated: number, context: number): UsageEvent {
    const { usage, text, reasoning, calls } = answer
    // Clamp the ratio: tokenizers differ by up to a factor of two, but a server's count may also mean something else.
    if (usage && usage.input > 0 && estimated > 0) this.#ratio = Math.min(2, Math.max(0.5, usage.input / estimated))
    const count: TokenCount = usage ?? {
      input: this.expected(estimated),
      output: estimateTokens(textOf({ role: 'assistant', content: text, reasoning, tool_calls: calls })),
    }
    const price = priceOf(model, this.prices)
    const cost = price && costOf(count, price)
    const told = this.add({
      ...count, ...(cost !== undefined && { cost }), ...(!usage && { estimated: true as const }),
    })
    return { ...told, ...(context > 0 && { context }) }
  }

  /** Adds what a delegate used for one answer, at the same prices. */
  add({ input, output, cached, cost, estimated }: TokenCount & { estimated?: true }): UsageEvent {
    this.total.input += input
    this.total.output += output
    if (cached !== undefined) this.total.cached = (this.total.cached ?? 0) + cached
    if (cost !== undefined) this.total.cost = (this.total.cost ?? 0) + cost
    return {
      type: 'usage', input, output, ...(cached !== undefined && { cached }), ...(cost !== undefined && { cost }),
      total: { ...this.total }, ...(estimated && { estimated }),
    }
  }
}

/** The price of a model; `undefined` where none is set. */
export function priceOf(
  model: string, { price, prices = {} }: Pick<AgentOptions, 'price' | 'prices'>,
): TokenPrice | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : price
}

function costOf({ input, output, cached = 0 }: TokenCount, price: TokenPrice): number {
  return ((input - cached) * price.input + cached * (price.cached ?? price.input) + output * price.output) / 1e6
}

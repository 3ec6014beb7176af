import { estimateTokens } from '../../../../1-registry/src/index.js'
import type { ModelAnswer } from './wire/answer-pieces.js'
import type { AgentEvent, TokenCount } from '../events.js'
import type { Message } from '../messages.js'
import type { AgentOptions, TokenPrice } from '../loop-options.js'

/** Tokens around each message: its role and its ends. */
const AROUND = 4

/** Estimated tokens of messages. */
export function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + AROUND + estimateTokens(textOf(message)), 0)
}

function textOf(message: Message): string {
  if (message.role !== 'assistant') return message.content
  const { content, tool_calls: calls = [], reasoning = '' } = message
  return `${content ?? ''}${reasoning}${calls.map(({ function: called }) => called.name + called.arguments).join('')}`
}

/** Counts what a task takes, and learns how far the estimate is off for its model. */
export class TokenMeter {
  readonly total: TokenCount
  readonly #prices: Pick<AgentOptions, 'price' | 'prices'>
  /** What the server counted by what was estimated. */
  #ratio = 1

  constructor(prices: Pick<AgentOptions, 'price' | 'prices'>) {
    this.#prices = prices
    this.total = { input: 0, output: 0, ...(prices.price && { cost: 0 }) }
  }

  /** @param estimated tokens of the request */
  expected(estimated: number): number {
    return Math.ceil(estimated * this.#ratio)
  }

  /**
   * @param model that answered: each has its price
   * @param estimated tokens of the request that was answered
   * @param context tokens of the working context in it
   */
  count(answer: ModelAnswer, model: string, estimated: number, context: number): AgentEvent {
    const { usage } = answer
    // Other models may count otherwise by a half or by double, a server that caches something else entirely.
    if (usage && usage.input > 0 && estimated > 0) this.#ratio = Math.min(2, Math.max(0.5, usage.input / estimated))
    const count: TokenCount = usage ?? { input: this.expected(estimated), output: this.#outputOf(answer) }
    const price = priceOf(model, this.#prices)
    const cost = price && costOf(count, price)
    this.total.input += count.input
    this.total.output += count.output
    if (count.cached !== undefined) this.total.cached = (this.total.cached ?? 0) + count.cached
    if (cost !== undefined) this.total.cost = (this.total.cost ?? 0) + cost
    return {
      type: 'usage', ...count, ...(cost !== undefined && { cost }), total: { ...this.total },
      ...(context > 0 && { context }), ...(!usage && { estimated: true as const }),
    }
  }

  #outputOf({ text, reasoning, calls }: ModelAnswer): number {
    const called = calls.map(({ function: { name, arguments: args } }) => name + args).join('')
    return estimateTokens(`${text}${reasoning}${called}`)
  }
}

/** What a model costs; `undefined` where nobody said. */
export function priceOf(
  model: string, { price, prices = {} }: Pick<AgentOptions, 'price' | 'prices'>,
): TokenPrice | undefined {
  return Object.hasOwn(prices, model) ? prices[model] : price
}

function costOf({ input, output, cached = 0 }: TokenCount, price: TokenPrice): number {
  return ((input - cached) * price.input + cached * (price.cached ?? price.input) + output * price.output) / 1e6
}

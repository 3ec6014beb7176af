import type { FunctionCall, Hermes } from '../../../5-executor/src/index.js'
import { answerCalls, type ToolAnswer } from './answers.js'
import type { DataBounds } from './call-options.js'

/** What the calls of one response share, and those of another do not. */
export interface ResponseContext {
  signal: AbortSignal | undefined
  /** The same list, not only one like it. */
  messages: readonly unknown[] | undefined
}

interface Waiting extends ResponseContext {
  call: FunctionCall
  resolve: (answer: ToolAnswer) => void
  reject: (error: unknown) => void
}

/** Makes one run of calls asked for in one turn of the event loop: a harness starts those of a response at once. */
export class CallBatch {
  readonly #hermes: Hermes
  readonly #bounds: DataBounds
  #waiting: Waiting[] = []

  constructor(hermes: Hermes, bounds: DataBounds) {
    this.#hermes = hermes
    this.#bounds = bounds
  }

  /** The call's answer, when its run has ended. */
  add(call: FunctionCall, { signal, messages }: ResponseContext): Promise<ToolAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ call, signal, messages, resolve, reject }) === 1) setImmediate(() => this.#start())
    })
  }

  #start(): void {
    let waiting = this.#waiting
    this.#waiting = []
    // Conversations do not share a run, which is cancelled and taken back as one.
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      const { signal, messages } = first
      const isOfIt = (each: Waiting): boolean => each.signal === signal && each.messages === messages
      void this.#run(waiting.filter(isOfIt), signal)
      waiting = waiting.filter((each) => !isOfIt(each))
    }
  }

  async #run(batch: readonly Waiting[], signal: AbortSignal | undefined): Promise<void> {
    try {
      const calls = batch.map(({ call }) => call)
      const answers = await answerCalls(this.#hermes, calls, { ...this.#bounds, signal })
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}

import type { FunctionCall, Hermes } from '../../../5-executor/src/index.js'
import { answerCalls, type ToolAnswer } from './answers.js'
import type { CallOptions, DataBounds } from './call-options.js'

/** Limits of the answers, and the callback for results. */
type Told = DataBounds & Pick<CallOptions, 'onResult'>

/** What the calls of one response share, and calls of other responses do not. */
export interface ResponseContext {
  signal: AbortSignal | undefined
  /** Compared by identity: the same array, not an equal one. */
  messages: readonly unknown[] | undefined
}

interface Waiting extends ResponseContext {
  call: FunctionCall
  resolve: (answer: ToolAnswer) => void
  reject: (error: unknown) => void
}

/**
 * Groups calls that arrive in one turn of the event loop into one run: a harness starts all calls of a response at
 * once.
 */
export class CallBatch {
  #waiting: Waiting[] = []

  constructor(private readonly hermes: Hermes, private readonly bounds: Told) {}

  /** Adds a call; resolves to its answer when the run has ended. */
  add(call: FunctionCall, { signal, messages }: ResponseContext): Promise<ToolAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ call, signal, messages, resolve, reject }) === 1) setImmediate(() => this.#start())
    })
  }

  #start(): void {
    let waiting = this.#waiting
    this.#waiting = []
    // Conversations do not share a run, since a run is cancelled and undone as a whole.
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
      const answers = await answerCalls(this.hermes, calls, { ...this.bounds, signal })
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}

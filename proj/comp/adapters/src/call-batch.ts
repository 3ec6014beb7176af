import type { FunctionCall, Hermes } from '../../executor/src/index.js'
import { answerCalls, type ToolAnswer } from './answers.js'

interface Waiting {
  call: FunctionCall
  signal: AbortSignal | undefined
  resolve: (answer: ToolAnswer) => void
  reject: (error: unknown) => void
}

/** Makes one run of calls asked for in one turn of the event loop: a harness starts those of a response at once. */
export class CallBatch {
  readonly #hermes: Hermes
  readonly #maxDataLength: number | undefined
  #waiting: Waiting[] = []

  constructor(hermes: Hermes, maxDataLength: number | undefined) {
    this.#hermes = hermes
    this.#maxDataLength = maxDataLength
  }

  /** The call's answer, when its run has ended. */
  add(call: FunctionCall, signal: AbortSignal | undefined): Promise<ToolAnswer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ call, signal, resolve, reject }) === 1) setImmediate(() => this.#start())
    })
  }

  #start(): void {
    const waiting = this.#waiting
    this.#waiting = []
    // Conversations that are cancelled apart do not share a run.
    for (const signal of new Set(waiting.map((each) => each.signal))) {
      void this.#run(waiting.filter((each) => each.signal === signal), signal)
    }
  }

  async #run(batch: readonly Waiting[], signal: AbortSignal | undefined): Promise<void> {
    try {
      const calls = batch.map(({ call }) => call)
      const answers = await answerCalls(this.#hermes, calls, { signal, maxDataLength: this.#maxDataLength })
      for (const [index, answer] of answers.entries()) batch[index]?.resolve(answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}

import type { ModelAnswer } from './wire/answer-pieces.js'
import { askNext, MOST_WAIT_MS, waitFor } from './ask-once.js'
import { fitContext } from './context-window.js'
import type { LoopParts } from '../loop-parts.js'
import { judgeFailure, modelFailed, ToolsRefused, type ModelFailure } from './model-failure.js'
import { backOffMs } from './rate-limits.js'

const MAX_RETRIES = 5
/** How often to shorten a conversation that the server calls too long. */
const MOST_FITS = 3

/** Counts consecutive failures of requests for the same conversation, and waits between them. */
export class Retries {
  failed = 0
  #fits = 0

  constructor(private readonly parts: LoopParts) {}

  succeeded(): void {
    this.failed = 0
    this.#fits = 0
  }

  /** Waits until a retry makes sense. @throws HermesError `MODEL_FAILED` where none does; ToolsRefused */
  async after(failure: ModelFailure): Promise<void> {
    const { options: { maxRetries = MAX_RETRIES, maxRetryWaitMs = MOST_WAIT_MS }, emit, signal } = this.parts
    this.failed++
    if (failure.isTooLong && this.#fits++ < MOST_FITS && await fitContext(this.parts, 'refused')) return
    if (failure.refusesTools && this.parts.offer.tools.length > 0) throw new ToolsRefused(failure.reason)
    if (!failure.mayPass || this.failed > maxRetries) throw modelFailed(failure, this.failed)
    if (failure.waitMs !== undefined && failure.waitMs > maxRetryWaitMs) {
      const seconds = Math.ceil(failure.waitMs / 1000)
      const hint = `It asks to wait ${seconds} s: try again then, or allow it with maxRetryWaitMs.`
      throw modelFailed({ ...failure, hint }, this.failed)
    }
    // `Retry-After: 0` says nothing useful.
    const waitMs = failure.waitMs || backOffMs(this.failed, maxRetryWaitMs)
    emit({ type: 'retry', attempt: this.failed, waitMs, reason: failure.reason })
    await waitFor(waitMs, signal)
  }
}

/**
 * Asks for an answer, with retries.
 *
 * @throws HermesError `MODEL_FAILED`, ToolsRefused; any error when the signal is aborted
 */
export async function ask(parts: LoopParts, retries: Retries): Promise<ModelAnswer> {
  for (;;) {
    try {
      const answer = await askNext(parts, true)
      retries.succeeded()
      return answer
    } catch (error) {
      if (parts.signal.aborted) throw error
      await retries.after(judgeFailure(error, parts.client.mask))
      if (parts.signal.aborted) throw error
    }
  }
}

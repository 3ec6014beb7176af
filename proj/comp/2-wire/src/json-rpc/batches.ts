import type { MessageId } from './rpc-messages.js'

/**
 * Answers, as JSON, to the requests of a batch leave together, as one array, when the last of
 * them is there (JSON-RPC 2.0, section 6).
 */
export class Batches {
  readonly #byId = new Map<MessageId, { open: number; answers: string[] }>()

  /**
   * @param ids of its requests;
   * @param answers to what was invalid in it.
   * @returns what to send at once, if anything
   */
  open(ids: readonly MessageId[], answers: string[]): readonly string[] | undefined {
    if (ids.length === 0) return answers.length > 0 ? answers : undefined
    const batch = { open: ids.length, answers }
    for (const id of ids) this.#byId.set(id, batch)
    return undefined
  }

  /**
   * Keeps an answer that belongs to a batch.
   * @returns `alone` where it does not, else the whole batch, when it is whole
   */
  take(id: MessageId, answer: string): 'alone' | readonly string[] | undefined {
    const batch = this.#byId.get(id)
    if (!batch) return 'alone'
    this.#byId.delete(id)
    batch.answers.push(answer)
    batch.open -= 1
    return batch.open === 0 ? batch.answers : undefined
  }
}

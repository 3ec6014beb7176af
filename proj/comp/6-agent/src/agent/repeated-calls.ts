import { createHash } from 'node:crypto'
import type { ActionResult, AnyVerb } from '../../../0-contracts/src/index.js'
import type { RecordedCall } from './session/sessions.js'

/** A call that has ended. */
export interface EndedCall {
  call: RecordedCall
  result: ActionResult
  /** The text of a block that could not be parsed. */
  source?: string
}

/** Finds a verb by name. */
export type FindVerb = (name: string) => Promise<AnyVerb | undefined>

/** Number of equal results after which the model is warned, and after which its turn is ended. */
const TELL_FROM = 3
const END_AT = 5

/**
 * Counts, since the user's message, how often a call had the same result. A successful call that may change something
 * and was not made before resets all counts: checking again after an edit is no loop.
 */
export class RepeatedCalls {
  /** Last result of each call, and how often it came. */
  readonly #counts = new Map<string, { result: string; count: number }>()
  /** Calls with their results: a change that is repeated resets nothing. */
  readonly #seen = new Set<string>()
  /** Whether a call had the same result too often, so that the turn ends. */
  isLoop = false

  /**
   * Resets the counts: the results were removed from the conversation, and the model was told to ask again for what it
   * needs.
   */
  forget(): void {
    this.#counts.clear()
  }

  /**
   * Counts the calls of one answer. Equal calls within it count once: the model has not seen a result in between.
   *
   * @returns notes for the model, by call id
   */
  async add(ended: readonly EndedCall[], find: FindVerb): Promise<Map<string, string>> {
    const told = new Map<string, string>()
    const inAnswer = new Set<string>()
    for (const { call, result, source } of ended) {
      const verbs = await verbsOf(call, result, find)
      if (verbs.some(({ polls }) => polls === true)) continue
      const parameters = Object.entries(call.parameters).sort(([a], [b]) => (a < b ? -1 : 1))
      const key = hash([call.tool, parameters, source])
      const outcome = hash([result.success, result.code, result.error, result.data])
      const isNew = !this.#seen.has(key + outcome)
      this.#seen.add(key + outcome)
      // Assumed of commands, and of tools without a known verb.
      const mayChange = verbs.length === 0 || verbs.some(({ type }) => type !== 'read' && type !== 'meta')
      if (isNew && result.success && mayChange) this.#counts.clear()
      if (inAnswer.has(key + outcome)) continue
      inAnswer.add(key + outcome)
      const before = this.#counts.get(key)
      const count = before?.result === outcome ? before.count + 1 : 1
      this.#counts.set(key, { result: outcome, count })
      if (count >= TELL_FROM) told.set(call.id, note(count))
      if (count >= END_AT) this.isLoop = true
    }
    return told
  }
}

function note(count: number): string {
  const same = `This call gave the same ${count} times`
  if (count >= END_AT) return `${same}: your turn was ended here.`
  return `${same}, and will again. Use what it gave, make another call, or say in text what keeps you from going on. `
    + `At ${END_AT} times your turn is ended.`
}

/** The verbs that a call ran; a call of another harness's tool may have run as several. */
async function verbsOf({ tool }: RecordedCall, { ranAs }: ActionResult, find: FindVerb): Promise<AnyVerb[]> {
  const names = ranAs?.map(({ action }) => action) ?? [tool]
  const verbs = await Promise.all(names.filter((name) => name !== '').map(find))
  return verbs.filter((verb) => verb !== undefined)
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64')
}

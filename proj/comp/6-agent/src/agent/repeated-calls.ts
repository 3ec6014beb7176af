import { createHash } from 'node:crypto'
import type { ActionResult, AnyVerb } from '../../../0-contracts/src/index.js'
import type { RecordedCall } from './session/sessions.js'

/** A call of an answer that has ended. */
export interface EndedCall {
  call: RecordedCall
  result: ActionResult
  /** Of a block that could not be read: its text. */
  source?: string
}

/** Finds the verb of a name. */
export type FindVerb = (name: string) => Promise<AnyVerb | undefined>

/** So often the same may come before the model is told, and before its turn is ended. */
const TELL_FROM = 3
const END_AT = 5

/**
 * Counts, since the user's message, how often a call gave the same. A successful call that may change something, and
 * was not made before, lets all begin anew: checking again after an edit is no loop.
 */
export class RepeatedCalls {
  /** By the call: its last result, and how often that came. */
  readonly #counts = new Map<string, { result: string; count: number }>()
  /** All calls with their results: a change that comes again changes nothing. */
  readonly #seen = new Set<string>()
  /** A call gave the same too often: the turn ends. */
  isLoop = false

  /** The model has no longer what calls gave, and was told to ask again for what it needs. */
  forget(): void {
    this.#counts.clear()
  }

  /**
   * Counts the calls of one answer. The same call several times in it counts once: the model has not seen a result in
   * between.
   *
   * @returns what the model is to be told, by the call's id
   */
  async add(ended: readonly EndedCall[], find: FindVerb): Promise<Map<string, string>> {
    const told = new Map<string, string>()
    const inAnswer = new Set<string>()
    for (const { call, result, source } of ended) {
      const verbs = await verbsOf(call, result, find)
      if (verbs.some(({ polls }) => polls === true)) continue
      const key = hash([call.tool, sorted(call.parameters), source])
      const outcome = hash([result.success, result.code, result.error, result.data])
      const isNew = !this.#seen.has(key + outcome)
      this.#seen.add(key + outcome)
      if (isNew && result.success && mayChange(verbs)) this.#counts.clear()
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

/** A call of another harness's tool ran as those of verbs. */
async function verbsOf({ tool }: RecordedCall, { ranAs }: ActionResult, find: FindVerb): Promise<AnyVerb[]> {
  const names = ranAs?.map(({ action }) => action) ?? [tool]
  const verbs = await Promise.all(names.filter((name) => name !== '').map(find))
  return verbs.filter((verb) => verb !== undefined)
}

/** What a command did nobody knows, nor what a tool does of which no verb is known. */
function mayChange(verbs: readonly AnyVerb[]): boolean {
  return verbs.length === 0 || verbs.some(({ type }) => type !== 'read' && type !== 'meta')
}

function sorted(parameters: Record<string, unknown>): unknown {
  return Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1))
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64')
}

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { writeOwn } from '../../../2-files/src/index.js'
import { parseJson } from '../../../0-contracts/src/index.js'
import { makeOwnDirectory } from '../../../2-config/src/index.js'

const OPEN = v.object({
  adapter: v.string(),
  conversation: v.string(),
  /** In the order they came; the first is the one that is worked on. */
  texts: v.array(v.string()),
  /** Of these messages, in the same order: they count as seen. */
  ids: v.optional(v.array(v.string()), []),
  /** The first was begun. */
  isBegun: v.boolean(),
  /** How often a gateway that was started anew took it up. */
  resumed: v.number(),
})
/** Messages of one conversation that were taken and not answered yet. */
export type OpenTurn = v.InferOutput<typeof OPEN>

/**
 * One file for each conversation with unanswered messages, for their owner alone: what a killed gateway left goes on.
 */
export class OpenTurns {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
    makeOwnDirectory(directory)
  }

  /** What is damaged is left out. */
  list(): OpenTurn[] {
    return readdirSync(this.#directory).filter((name) => name.endsWith('.json')).sort().flatMap((name) => {
      const turn = v.safeParse(OPEN, parseJson(readFileSync(join(this.#directory, name), 'utf8')))
      return turn.success && turn.output.texts.length > 0 ? [turn.output] : []
    })
  }

  /** @param taskId of the conversation. @param turn without texts: all are answered */
  keep(taskId: string, turn: OpenTurn): void {
    const file = join(this.#directory, `${taskId}.json`)
    if (turn.texts.length === 0) rmSync(file, { force: true })
    else writeOwn(file, JSON.stringify(turn))
  }
}

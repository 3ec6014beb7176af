import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { writeOwn } from '../../../2-files/src/index.js'
import { parseJson } from '../../../0-contracts/src/index.js'
import { makeOwnDirectory } from '../../../2-config/src/index.js'

const OPEN = v.object({
  adapter: v.string(),
  conversation: v.string(),
  /** In order of arrival; the first is the current one. */
  texts: v.array(v.string()),
  /** Ids of these messages, in the same order: they count as seen. */
  ids: v.optional(v.array(v.string()), []),
  /** Whether the first was started. */
  isBegun: v.boolean(),
  /** How often a restarted gateway has resumed it. */
  resumed: v.number(),
})
/** Accepted messages of one conversation that are not answered yet. */
export type OpenTurn = v.InferOutput<typeof OPEN>

/**
 * Stores unanswered messages, one file for each conversation, readable by the owner only, so that a restarted gateway
 * can continue.
 */
export class OpenTurns {
  constructor(private readonly directory: string) {
    makeOwnDirectory(directory)
  }

  /** All stored ones, without damaged files. */
  list(): OpenTurn[] {
    return readdirSync(this.directory).filter((name) => name.endsWith('.json')).sort().flatMap((name) => {
      const turn = v.safeParse(OPEN, parseJson(readFileSync(join(this.directory, name), 'utf8')))
      return turn.success && turn.output.texts.length > 0 ? [turn.output] : []
    })
  }

  /** @param taskId of the conversation @param turn no texts if all are answered */
  keep(taskId: string, turn: OpenTurn): void {
    const file = join(this.directory, `${taskId}.json`)
    if (turn.texts.length === 0) rmSync(file, { force: true })
    else writeOwn(file, JSON.stringify(turn))
  }
}

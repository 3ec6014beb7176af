import type { SessionStore } from '../../../6-agent/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { escapeControls } from '../../../0-text/src/index.js'

/**
 * The conversation to go on with.
 *
 * @param given its id, or the beginning of one. Default: the last conversation
 * @returns its id
 * @throws HermesError `INVALID_OPTION` where there is none
 */
export async function keptSession(sessions: Pick<SessionStore, 'list'>, given: string | undefined): Promise<string> {
  const all = await sessions.list()
  const found = given === undefined ? all[0]
    : all.find(({ id }) => id === given) ?? all.find(({ id }) => id.startsWith(given))
  if (found) return found.id
  const message = given === undefined ? 'There is no conversation to go on with'
    : `No conversation is kept as ${escapeControls(given)}`
  throw new HermesError('INVALID_OPTION', message, {
    hint: all.length === 0 ? 'No conversation is kept yet: leave --resume out.'
      : `The last ones: ${all.slice(0, 3).map(({ id }) => id).join(', ')}; /resume in a chat lists them all.`,
  })
}

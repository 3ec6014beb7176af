import type { SessionInfo, SessionStore } from '../../../6-agent/src/index.js'
import { existsSync } from 'node:fs'
import { canonicalDirectory } from '../../../2-files/src/index.js'
import { HermesError } from '../../../0-contracts/src/index.js'
import { escapeControls, shellWord } from '../../../0-text/src/index.js'

/** Most missing roots that are named. */
const MOST_LOST = 3

/** The conversations of a root: what was said there must not be sent to a model from elsewhere. @param root absolute */
export function ofRoot(sessions: readonly SessionInfo[], root: string): SessionInfo[] {
  const wanted = canonicalDirectory(root)
  return sessions.filter((session) => session.root !== undefined && canonicalDirectory(session.root) === wanted)
}

/** For conversations whose root no longer exists, explains how to continue them after the folder was moved. */
export function lostRoots(sessions: readonly SessionInfo[], root: string): string[] {
  const gone = new Map<string, number>()
  for (const { root: of } of sessions) {
    if (of !== undefined && !existsSync(of)) gone.set(of, (gone.get(of) ?? 0) + 1)
  }
  return [...gone].slice(0, MOST_LOST).map(([of, count]) => (
    `${count} of ${escapeControls(of)}: ${howToTake(of, root)}`
  ))
}

function howToTake(gone: string, root: string): string {
  return `${escapeControls(gone)} is no longer there; if that is this folder, moved: `
    + `ln -s ${shellWord(root)} ${shellWord(gone)}`
}

/**
 * Finds the conversation to continue.
 *
 * @param root absolute: each conversation belongs to one
 * @param given its id, or the beginning of one. Default: the last conversation
 * @returns its id
 * @throws HermesError `INVALID_OPTION` where there is none
 */
export async function keptSession(
  sessions: Pick<SessionStore, 'list'>, root: string, given: string | undefined,
): Promise<string> {
  const kept = await sessions.list()
  const all = ofRoot(kept, root)
  const sessionInfo = given === undefined ? all[0]
    : all.find(({ id }) => id === given) ?? all.find(({ id }) => id.startsWith(given))
  if (sessionInfo) return sessionInfo.id
  const elsewhere = given === undefined ? undefined : kept.find(({ id }) => id.startsWith(given))
  if (elsewhere?.root !== undefined) {
    throw new HermesError('INVALID_OPTION', `Conversation ${elsewhere.id} is of another root: ${elsewhere.root}`, {
      hint: existsSync(elsewhere.root) ? `Write --root ${shellWord(elsewhere.root)}.` : howToTake(elsewhere.root, root),
    })
  }
  const message = given === undefined ? 'There is no conversation of this root to go on with'
    : `No conversation of this root is kept as ${escapeControls(given)}`
  throw new HermesError('INVALID_OPTION', message, {
    hint: all.length === 0 ? ['None is kept here: leave --resume out, or give its --root.', ...lostRoots(kept, root)]
      .join(' ')
      : `The last ones: ${all.slice(0, 3).map(({ id }) => id).join(', ')}; /resume in a chat lists them all.`,
  })
}

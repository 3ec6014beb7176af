import { HermesError } from '../../../../0-contracts/src/index.js'
import type { SessionStore } from './sessions.js'

const DAY_MS = 24 * 60 * 60 * 1000

/** Removes conversations in which nothing was said for so many days; one that is open stays. */
export async function pruneSessions(
  sessions: Pick<SessionStore, 'list' | 'remove'>, keepDays: number,
): Promise<void> {
  for (const { id, updatedMs } of await sessions.list()) {
    if (Date.now() - updatedMs <= keepDays * DAY_MS) continue
    try {
      await sessions.remove(id)
    } catch (error) {
      // Another process has it open, or was quicker.
      if (!(error instanceof HermesError) || (error.code !== 'LOCKED' && error.code !== 'ENOENT')) throw error
    }
  }
}

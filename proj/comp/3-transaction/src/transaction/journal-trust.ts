import { HermesError } from '../../../0-contracts/src/index.js'
import {
  hasMac, isOurs, readHeads, readOutline, readRun, type RunHead, type RunRecord, type Signature,
} from '../journal/index.js'

export type RunOutline = Omit<RunRecord, 'operations'>

/**
 * The runs of this user, oldest first by number: those with valid signatures that refer to the previous run as it is.
 * Anything else in the journal is left out.
 *
 * @throws HermesError `CHANGED_ON_DISK` for a run of this user that is damaged
 */
export function readChain(root: string, heads: readonly RunHead[] = readHeads(root)): RunOutline[] {
  const ours = heads.filter(isOurs)
  return ours.filter((head, at) => isLinked(root, head, ours[at - 1])).flatMap(({ runId }) => {
    const outline = readOutline(root, runId)
    return outline?.signature === 'signed' ? [outline] : []
  })
}

/** Whether a run refers to the previous one. True where that is missing, since the oldest runs are removed in time. */
export function isLinked(root: string, { begin }: RunHead, before: RunHead | undefined): boolean {
  if (before?.begin?.seq === undefined || begin?.seq !== before.begin.seq + 1) return true
  return begin.prev !== undefined && hasMac(root, before.runId, begin.prev)
}

/**
 * Runs that cannot be read block nothing, but are reported to whoever looks for a run.
 *
 * @throws as `readRun`
 */
export function requireReadable(root: string, heads: readonly RunHead[]): void {
  for (const { runId, begin } of heads) if (!begin) readRun(root, runId)
}

/** @param what the refused action, e.g. `Nothing was undone` */
export function untrustedJournal(what: string, runs: readonly { runId: string; signature: Signature }[]): HermesError {
  const [first] = runs
  const which = runs.length === 1 && first ? `Run ${first.runId} is` : `${runs.length} runs in .hermes/journal are`
  const why = runs.every(({ signature }) => signature === 'unsigned') ? 'not signed'
    : 'not signed with the key of this user'
  return new HermesError('UNTRUSTED_JOURNAL', `${what}: ${which} ${why}`, {
    hint: 'Another machine or an older hermes wrote it, or somebody made it up. hermes log lists what it would take '
      + 'back; --trust-journal takes the whole journal as yours, once. Else remove .hermes/journal.',
    data: { runs: runs.map(({ runId }) => runId) },
  })
}

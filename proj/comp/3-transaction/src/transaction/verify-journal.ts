import { caught, HermesError } from '../../../0-contracts/src/index.js'
import { isOurs, readHeads, readRun, type RunHead } from '../journal/index.js'
import { isLinked } from './journal-trust.js'

/** Result of checking the signatures of a run. */
export interface VerifiedRun {
  /** Absent for a missing run. */
  runId?: string
  /** Number in the chain; absent where it is not signed. */
  seq?: number
  /** `missing`: runs with numbers up to `seq` are gone. `damaged`: begun by this user, but unreadable. */
  signature: 'signed' | 'unsigned' | 'forged' | 'damaged' | 'missing'
  /** Why it is not signed, in words. */
  reason?: string
}

export interface JournalVerification {
  /** All runs are signed, and none between them is missing. */
  success: boolean
  /** Oldest first. */
  runs: VerifiedRun[]
}

/** Walks the chain of runs of a root, and checks every signature. Hashes of contents are checked by undo. */
export function verifyJournal(root: string): JournalVerification {
  const runs: VerifiedRun[] = []
  let before: RunHead | undefined
  for (const head of readHeads(root)) {
    if (isOurs(head)) {
      const [last, seq] = [before?.begin?.seq, head.begin?.seq]
      if (last !== undefined && seq !== undefined && seq > last + 1) {
        runs.push({ seq: seq - 1, signature: 'missing', reason: `${seq - last - 1} of before run ${head.runId} gone` })
      }
      runs.push(verified(root, head, before))
      before = head
    } else {
      const { runId, signature } = head
      runs.push({ runId, signature, reason: signature === 'unsigned' ? 'no signatures' : 'not the key of this user' })
    }
  }
  return { success: runs.every(({ signature }) => signature === 'signed'), runs }
}

function verified(root: string, head: RunHead, before: RunHead | undefined): VerifiedRun {
  const { runId, begin } = head
  const place = { runId, ...(begin?.seq !== undefined && { seq: begin.seq }) }
  const run = caught(HermesError, () => readRun(root, runId), (error) => error)
  if (run instanceof HermesError) return { ...place, signature: 'damaged', reason: run.message }
  if (run?.signature !== 'signed') {
    return { ...place, signature: 'forged', reason: 'a line was changed since it was written' }
  }
  return isLinked(root, head, before) ? { ...place, signature: 'signed' }
    : { ...place, signature: 'forged', reason: `the run before it, ${before?.runId ?? ''}, is not the one it followed` }
}

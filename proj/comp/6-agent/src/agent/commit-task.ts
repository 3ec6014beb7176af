import { Hermes } from '../../../5-executor/src/index.js'
import { HermesError, isRecord } from '../../../0-contracts/src/index.js'
import { changesOfSession, unitName } from '../../../3-transaction/src/index.js'
import type { AgentOptions } from './loop-options.js'

/** Longest message of `git_commit`, in UTF-16 units. */
const LONGEST_MESSAGE = 500

export interface TaskCommit {
  /** Full SHA. */
  hash: string
  subject: string
  files: readonly string[]
  /** Why other files were not committed, one line for each reason. */
  told: readonly string[]
}

/**
 * Commits the files that a task changed, as `git_commit` does, and no others.
 *
 * @param units only changes made for these messages; default: all
 * @throws HermesError `NOTHING_TO_COMMIT`; as the verb
 */
export async function commitTask(
  task: { id: string; root: string; unit: string | undefined },
  { policy, sandbox, network, approve, ui, allow, waitMs }: AgentOptions,
  { message, signal, units }: { message: string; signal: AbortSignal; units?: readonly string[] },
): Promise<TaskCommit> {
  const { root, id } = task
  const changes = await changesOfSession(root, id, { ...(units && { units }) })
  const { files = [], told = [] } = changes ?? {}
  if (files.length === 0) {
    throw new HermesError('NOTHING_TO_COMMIT', 'There is nothing of this conversation to commit', {
      hint: [...told, changes ? 'git status shows what else there is.' : 'The root is in no git work tree.'].join('\n'),
    })
  }
  const hermes = new Hermes({
    // With a unit, a run that changes no file leaves no journal.
    unit: () => unitName(id, 'commit'),
    root, relativePaths: true, gitCommit: false, policy, sandbox, network, allow, approve, ui, waitMs,
  })
  try {
    const args = { message: message.slice(0, LONGEST_MESSAGE), files }
    const run = await hermes.call([{ id: 'commit', name: 'git_commit', arguments: JSON.stringify(args) }], { signal })
    const [result] = run.results
    const { data } = result ?? {}
    if (!result?.success || !isRecord(data)) {
      throw new HermesError(result?.code ?? 'INTERNAL', result?.error ?? run.fatalError ?? 'Not committed', {
        hint: result?.hint,
      })
    }
    return { hash: String(data['hash']), subject: String(data['subject']), files, told }
  } finally {
    await hermes[Symbol.asyncDispose]()
  }
}

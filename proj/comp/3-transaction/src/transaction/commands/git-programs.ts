import { join } from 'node:path'
import type { Repository } from '../repository.js'

/**
 * Notes git's hooks and configuration as they are before a run: no hook is run that it may have written.
 *
 * @param reversed the run whose undo or redo this is, where it changed them; `digest`: that of both before it
 * @returns tells later their digest from before, and what to tell the user; `undefined` where they are as they were
 */
export function watchPrograms(
  repository: Repository, reversed: { runId: string | undefined; digest: string } | undefined,
): () => { digest: string; warning: string } | undefined {
  const digest = reversed?.digest ?? repository.programsDigest()
  return () => {
    if (repository.programsDigest() === digest) return undefined
    const what = reversed
      ? `Hooks or the configuration of git that run ${reversed.runId} changed are still there: no hook was run`
      : 'The run changed hooks or the configuration of git: no hook was run for its commit, and they stay'
    const config = join(repository.gitDirectory, 'config')
    return { digest, warning: `${what}. Look at ${repository.hooksDirectory} and ${config}` }
  }
}

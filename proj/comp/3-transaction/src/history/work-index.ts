import { join } from 'node:path'
import { removeIndex, writeCommit, type Git, type Repository } from '../transaction/index.js'

/** Stashes are made also where git does not know who the user is. */
export const IDENTITY = {
  GIT_AUTHOR_NAME: 'hermes', GIT_AUTHOR_EMAIL: 'hermes@localhost', GIT_COMMITTER_NAME: 'hermes',
  GIT_COMMITTER_EMAIL: 'hermes@localhost',
}
/** The work tree is written as it is; a submodule is never changed. */
export const AS_IT_IS = ['-c', 'core.safecrlf=false', '-c', 'submodule.recurse=false']

/** Does something with an index file of its own, which is gone afterwards. */
export async function withIndex<T>({ gitDirectory }: Repository, work: (index: string) => Promise<T>): Promise<T> {
  const index = join(gitDirectory, 'hermes-steps-index')
  removeIndex(index)
  try {
    return await work(index)
  } finally {
    removeIndex(index)
  }
}

/** Runs git on such an index. @returns what it printed, trimmed */
export function gitOn(
  repository: Repository, index: string,
): (args: readonly string[], input?: string | Uint8Array) => Promise<string> {
  const env = { ...IDENTITY, GIT_INDEX_FILE: index }
  return async (args, input) => (await repository.run(args, { env, input })).toString('utf8').trim()
}

/** Writes a commit of a tree, in the name of hermes. @returns its full SHA */
export function commitFor(
  repository: Repository, tree: string, parents: readonly string[], message: string,
): Promise<string> {
  const git: Git = (args, input) => repository.try(args, { env: IDENTITY, input })
  return writeCommit(git, tree, { parents, message: `${message}\n` })
}

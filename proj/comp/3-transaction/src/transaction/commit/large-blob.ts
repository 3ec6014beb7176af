import { openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { closing } from '../../../../2-files/src/index.js'
import { savedContent, SavedContent, type FileState } from '../../journal/index.js'
import type { Repository } from '../repository.js'
import type { CommitRequest } from './commit-request.js'

/** More is not handed to git in memory. */
export const MOST_INPUT_BYTES = 64 * 1024 * 1024

type Request = Pick<CommitRequest, 'journal' | 'runId'>

/**
 * Writes a large file, as it was before the run, to git with the filters of its name.
 *
 * @param file where it is on disk, if the journal does not have it
 * @returns the id of the blob
 */
export async function writeLargeBlob(
  repository: Repository, { journal, runId }: Request, name: string, state: FileState & { kind: 'file' }, file: string,
): Promise<string> {
  const hash = async (source: string): Promise<string> => (
    await repository.run(['hash-object', '-w', '--path', name, '--', source])
  ).toString('utf8').trim()
  const content = state.at === undefined ? undefined : savedContent(journal, state)
  if (!(content instanceof SavedContent)) return hash(file)
  // By its name recovery knows it as the run's.
  const copy = join(repository.gitDirectory, `hermes-blob-${runId}-${state.sha256.slice(0, 16)}`)
  try {
    closing(openSync(copy, 'w', 0o600), (fd) => content.fill(fd))
    return await hash(copy)
  } finally {
    rmSync(copy, { force: true })
  }
}

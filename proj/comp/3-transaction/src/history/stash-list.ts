import type { Repository } from '../transaction/index.js'

/** SHAs of all stashes; the place of each is its number. */
export async function listStashes(repository: Repository): Promise<string[]> {
  const there = await repository.try(['rev-parse', '--verify', '--quiet', 'refs/stash'])
  if (there.exitCode !== 0) return []
  const output = await repository.run(['log', '--walk-reflogs', '--format=%H', 'refs/stash', '--'])
  return output.toString('utf8').split('\n').filter(line => line !== '')
}

/** Removes one stash from the list, wherever it stands in it. */
export async function dropStash(repository: Repository, stash: string): Promise<void> {
  const number = (await listStashes(repository)).indexOf(stash)
  if (number >= 0) await repository.run(['stash', 'drop', '--quiet', `stash@{${number}}`])
}

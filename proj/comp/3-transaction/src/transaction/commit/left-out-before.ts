import { readRun, resolveStored, statesOf } from '../../journal/index.js'
import { CommandChanges } from '../commands/command-changes.js'
import { readTree, type Entry } from '../commands/git-entries.js'
import type { Repository } from '../repository.js'

/**
 * What a sparse checkout left out when a run wrote it: an undo brings HEAD back to that, without a file.
 *
 * @param run `of`: that which is taken back or repeated
 * @returns entries that the run's commit replaced, by name below the top
 */
export async function leftOutBefore(
  repository: Repository, root: string, { of, runId }: { of: string | undefined; runId: string },
): Promise<ReadonlyMap<string, Entry>> {
  const run = of === undefined || !repository.isSparse() ? undefined : readRun(root, of)
  const commit = run?.end?.commit
  if (!run || commit === undefined) return new Map()
  const written = statesOf(run).changed().filter(({ before }) => before.kind === 'absent')
    .flatMap(({ path }) => repository.pathOf(resolveStored(root, path)) ?? [])
  const { made } = await (await CommandChanges.read(run, runId)).clean(new Set())
  const names = new Set([...written, ...made])
  if (await repository.resolve(`${commit}^`) === undefined) return new Map()
  return new Map([...await readTree(repository, `${commit}^`, [...names])].filter(([name]) => names.has(name)))
}

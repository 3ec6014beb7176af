import { lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { openMarkedDirectory, type MarkedDirectory } from '../../../2-files/src/index.js'

/**
 * A directory for the workspaces of this process, in that for temporary files. Its name says whose it is: what a
 * process that was killed has left behind is removed by the next one.
 */
export async function openReplayDirectory(): Promise<MarkedDirectory> {
  return openMarkedDirectory('hermes-replays-', { beforeRemoval: forgetWorkTrees })
}

/** Of workspaces whose process was killed. */
function forgetWorkTrees(directory: string): void {
  for (const workspace of orNothing(() => readdirSync(directory), [])) {
    forgetWorkTree(join(directory, workspace, 'work'))
  }
}

/** Removes what a repository keeps of a work tree, where it says itself that this is the one. */
export function forgetWorkTree(root: string): void {
  const file = join(root, '.git')
  const kept = orNothing(
    () => (lstatSync(file).isFile() ? /^gitdir: (\/.+)\n?$/.exec(readFileSync(file, 'utf8'))?.[1] : undefined),
    undefined,
  )
  if (kept === undefined || basename(dirname(kept)) !== 'worktrees') return
  if (orNothing(() => readFileSync(join(kept, 'gitdir'), 'utf8').trim(), '') !== file) return
  orNothing(() => rmSync(kept, { recursive: true, force: true }), undefined)
}

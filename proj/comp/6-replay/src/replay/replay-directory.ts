import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { orNothing } from '../../../0-contracts/src/index.js'
import { isMarkGone, processMark } from '../../../2-processes/src/index.js'
import { removeTree } from './remove-workspace.js'

const PREFIX = 'hermes-replays-'
const NAME = new RegExp(`^${PREFIX}([0-9a-f]+-\\d+-\\d+)-\\w+$`)

export interface ReplayDirectory {
  path: string
  /** What cannot be removed now stays for the next process. */
  remove(): Promise<void>
}

/**
 * A directory for the workspaces of this process, in that for temporary files. Its name says whose it is: what a
 * process that was killed has left behind is removed by the next one.
 */
export async function openReplayDirectory(parent = tmpdir()): Promise<ReplayDirectory> {
  await sweep(parent)
  const path = mkdtempSync(join(parent, `${PREFIX}${processMark()}-`))
  return {
    path,
    remove: () => discard(path),
  }
}

async function sweep(parent: string): Promise<void> {
  for (const name of orNothing(() => readdirSync(parent), [])) {
    const mark = NAME.exec(name)?.[1]
    const path = join(parent, name)
    if (mark === undefined || !isOwn(path) || !isMarkGone(mark)) continue
    await discard(path)
  }
}

async function discard(path: string): Promise<void> {
  forgetWorkTrees(path)
  await removeTree(path).catch(() => undefined)
}

/** A directory of this user, and no link to another. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && (process.getuid === undefined || stats.uid === process.getuid())
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

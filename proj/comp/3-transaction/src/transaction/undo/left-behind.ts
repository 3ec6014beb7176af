import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TEMP_PREFIX, DiskFiles } from '../../../../2-files/src/index.js'
import { orNothing, type ApprovedPath } from '../../../../0-contracts/src/index.js'
import {
  captureState, changesInDoubt, isSameState, readSaved, resolveStored, type RunRecord,
} from '../../journal/index.js'
import { removeHookLeftovers } from '../../../../2-sandbox/src/index.js'
import { removeGitLocks } from '../commit/git-locks.js'
import type { Repository } from '../repository.js'

/**
 * Largest file to repair, in bytes: a larger one whose in-place write was interrupted stays as it is, and is reported.
 */
const MOST_COMPARED_BYTES = 1024 ** 3

/** Removes temporary files of interrupted writes of a dead run, only in directories that it wrote to. */
export function removeTemporaries(root: string, run: RunRecord): void {
  const directories = new Set(run.operations.flatMap((step) => {
    if (step.op === 'set') return [dirname(resolveStored(root, step.path))]
    return step.op === 'move' ? [step.from, step.to].map((stored) => dirname(resolveStored(root, stored))) : []
  }))
  const sets = changesInDoubt(run).filter((fileOperation) => fileOperation.op === 'set')
  for (const directory of directories) {
    for (const name of namesIn(directory)) {
      if (!name.startsWith(TEMP_PREFIX)) continue
      const temp = join(directory, name)
      for (const set of sets) mendInPlace(root, run, set, temp)
      rmSync(temp, { recursive: true, force: true })
    }
  }
}

type SetOperation = Extract<RunRecord['operations'][number], { op: 'set' }>

/**
 * Completes an in-place write, which is used where rename cannot replace a file. Its old content is beside it, and the
 * new one is in the journal.
 */
function mendInPlace(root: string, run: RunRecord, last: SetOperation, temp: string): void {
  const path = resolveStored(root, last.path)
  if (dirname(path) !== dirname(temp) || last.old.kind !== 'file' || last.new.kind !== 'file') return
  const now = captureState(path)
  const wasSaved = isSameState(captureState(temp), { ...last.old, mode: undefined })
  if (!wasSaved || now.kind !== 'file' || isSameState(now, last.old) || isSameState(now, last.new)) return
  // Both contents have to fit in memory to be compared.
  if (Math.max(last.old.size, last.new.size) > MOST_COMPARED_BYTES) return
  const next = readSaved(run.directory, last.new)
  // The temporary file may belong to another file, and the present content may be someone else's.
  if (isBetween(readFileSync(path), readFileSync(temp), next)) new DiskFiles().write(path as ApprovedPath, next)
}

/** Whether each byte is of either content, or zero where a loss of power left the new end of the file unwritten. */
function isBetween(bytes: Uint8Array, old: Uint8Array, next: Uint8Array): boolean {
  return bytes.length >= Math.min(old.length, next.length) && bytes.length <= Math.max(old.length, next.length)
    && bytes.every((byte, at) => byte === old[at] || byte === next[at] || (byte === 0 && at >= old.length))
}

/**
 * Removes git's temporary files for a run, and the locks it left.
 *
 * @returns what remains, in words
 */
export async function removeGitFiles(repository: Repository, run: RunRecord): Promise<string[]> {
  // Locks first: the other files tell when the run's git was last at work.
  const left = await removeGitLocks(repository, run)
  for (const name of namesIn(repository.gitDirectory)) {
    if (name.includes(run.begin.runId)) rmSync(join(repository.gitDirectory, name), { recursive: true, force: true })
  }
  removeHookLeftovers(repository.gitDirectories)
  return left
}

function namesIn(directory: string): string[] {
  return orNothing(() => readdirSync(directory), [])
}

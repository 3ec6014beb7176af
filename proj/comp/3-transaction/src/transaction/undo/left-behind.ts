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

/** A larger file that was cut short in its place stays as it is, and is named. */
const MOST_COMPARED_BYTES = 1024 ** 3

/** Removes what the writes of a run that died left beside their files. Only directories it wrote in are looked at. */
export function removeTemporaries(root: string, run: RunRecord): void {
  const directories = new Set(run.operations.flatMap((one) => {
    if (one.op === 'set') return [dirname(resolveStored(root, one.path))]
    return one.op === 'move' ? [one.from, one.to].map((stored) => dirname(resolveStored(root, stored))) : []
  }))
  const sets = changesInDoubt(run).filter((one) => one.op === 'set')
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
 * A file that rename cannot replace is written in place, with its old content beside it: then the new one is whole in
 * the journal.
 */
function mendInPlace(root: string, run: RunRecord, last: SetOperation, temp: string): void {
  const path = resolveStored(root, last.path)
  if (dirname(path) !== dirname(temp) || last.old.kind !== 'file' || last.new.kind !== 'file') return
  const now = captureState(path)
  const wasSaved = isSameState(captureState(temp), { ...last.old, mode: undefined })
  if (!wasSaved || now.kind !== 'file' || isSameState(now, last.old) || isSameState(now, last.new)) return
  // What is compared byte by byte has to be in memory.
  if (Math.max(last.old.size, last.new.size) > MOST_COMPARED_BYTES) return
  const next = readSaved(run.directory, last.new)
  // The temporary file may be of another one, and what is here of someone else.
  if (isBetween(readFileSync(path), readFileSync(temp), next)) new DiskFiles().write(path as ApprovedPath, next)
}

/** Whether each byte is of one of the two, or a zero where a loss of power left the new end of a file unwritten. */
function isBetween(bytes: Uint8Array, old: Uint8Array, next: Uint8Array): boolean {
  return bytes.length >= Math.min(old.length, next.length) && bytes.length <= Math.max(old.length, next.length)
    && bytes.every((byte, at) => byte === old[at] || byte === next[at] || (byte === 0 && at >= old.length))
}

/** Removes what git works with for a run, and the locks it left. @returns what stays, in words */
export async function removeGitFiles(repository: Repository, run: RunRecord): Promise<string[]> {
  // They tell when the run's git was last at work.
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

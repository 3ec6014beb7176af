import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isNodeError, type ApprovedPath } from '../../contracts/src/index.js'
import { DiskFiles, TEMP_PREFIX } from '../../files/src/index.js'
import { captureState, isSameState, readSaved, resolveStored, type RunRecord } from '../../journal/src/index.js'
import type { Repository } from './repository.js'

/** How long a git that outlived its run may take to end, in milliseconds. */
const GIT_ENDS_MS = 2000

/** Removes what the writes of a run that died left beside their files. Only directories it wrote in are looked at. */
export function removeTemporaries(root: string, run: RunRecord): void {
  const directories = new Set(run.operations.flatMap((one) => {
    if (one.op === 'set') return [dirname(resolveStored(root, one.path))]
    return one.op === 'move' ? [dirname(resolveStored(root, one.to))] : []
  }))
  const last = run.operations.findLast((one) => one.op === 'set')
  for (const directory of directories) {
    for (const name of namesIn(directory)) {
      if (!name.startsWith(TEMP_PREFIX)) continue
      const temp = join(directory, name)
      if (last?.op === 'set') mendInPlace(root, run, last, temp)
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
  if (!wasSaved || isSameState(now, last.old) || isSameState(now, last.new)) return
  new DiskFiles().write(path as ApprovedPath, readSaved(run.directory, last.new))
}

/** Ends the git of a run that died, and removes its files and locks. */
export async function removeGitFiles(repository: Repository, run: RunRecord): Promise<void> {
  const { begin: { runId, startedAt }, operations } = run
  await endGit(runId)
  for (const name of namesIn(repository.gitDirectory)) {
    if (name.includes(runId)) rmSync(join(repository.gitDirectory, name), { force: true })
  }
  if (!operations.some(({ op }) => op === 'commit')) return
  const began = Date.parse(startedAt)
  const branch = (await repository.try(['symbolic-ref', '--quiet', 'HEAD'])).stdout.toString('utf8').trim()
  const names = ['index', 'HEAD', ...(branch === '' ? [] : [branch])].flatMap((name) => ['--git-path', `${name}.lock`])
  // In a linked work tree the branch is elsewhere.
  const places = (await repository.run(['rev-parse', ...names])).toString('utf8').split('\n')
  const locks = places.filter((name) => name !== '').map((name) => resolve(repository.top, name))
  await waitWhile(() => locks.some((lock) => existsSync(lock)))
  for (const lock of locks) {
    if (existsSync(lock) && statSync(lock).mtimeMs >= began - 1000) rmSync(lock, { force: true })
  }
}

/** It would commit what is being put back. Where the system cannot tell (no `/proc`), it is taken to have ended. */
async function endGit(runId: string): Promise<void> {
  let processes = processesOf(runId)
  await waitWhile(() => (processes = processesOf(runId)).length > 0)
  for (const pid of processes) kill(pid)
  await waitWhile(() => processesOf(runId).length > 0)
}

/** Git, and its hooks, that worked for the commit of the run: their environment names it. */
function processesOf(runId: string): number[] {
  return namesIn('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => (
    readIfThere(`/proc/${pid}/environ`).includes(`HERMES_RUN=${runId}\0`)
  )).map(Number)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!isNodeError(error)) throw error
  }
}

async function waitWhile(isSo: () => boolean): Promise<void> {
  const until = performance.now() + GIT_ENDS_MS
  while (isSo() && performance.now() < until) await sleep(50)
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if (isNodeError(error)) return ''
    throw error
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isNodeError(error)) return []
    throw error
  }
}

import { existsSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { orNothing } from '../../../../0-contracts/src/index.js'
import type { RunRecord } from '../../journal/index.js'
import { listPids, readProcess } from '../../../../2-processes/src/index.js'
import { isLockOf } from './index-lock.js'
import type { Repository } from '../repository.js'

/** Milliseconds for another git to release its lock. */
const OTHERS_END_MS = 2000
/** Most milliseconds from a trace of the run's own git to the next lock it took. */
const NEXT_STEP_MS = 2000
/** File times have the resolution of the kernel's tick. */
const TICK_MS = 50

/**
 * Removes the locks that the git processes of a run left when they were killed. Most of git's locks name no owner, so
 * only those are removed that cannot be another's: the lock names the run or its commit; or no other git is at work,
 * and it was created right after the last trace of the run's own git. The processes of the run have ended by now.
 *
 * @returns locks that remain, in words
 */
export async function removeGitLocks(repository: Repository, run: RunRecord): Promise<string[]> {
  const commit = run.operations.findLast(({ op }) => op === 'commit')
  if (commit?.op !== 'commit') return []
  const locks = await lockFiles(repository)
  const until = performance.now() + OTHERS_END_MS
  while (locks.some(existsSync) && isGitAtWork(repository) && performance.now() < until) await sleep(50)
  const there = locks.filter(existsSync)
  if (there.length === 0) return []
  const own = await ownAmong(there, repository, run, commit.at)
  for (const lock of own) rmSync(lock, { force: true })
  return there.filter((lock) => !own.includes(lock)).map((lock) => (
    `${lock} is left: it may be another git's. When no git is at work there, remove it`
  ))
}

/** The locks that a commit takes; in a linked work tree they are in two places. */
async function lockFiles(repository: Repository): Promise<string[]> {
  const branch = await repository.branch()
  const locked = ['index', 'HEAD', ...(branch === undefined ? [] : [branch])]
  const names = locked.flatMap((name) => ['--git-path', `${name}.lock`])
  const places = (await repository.run(['rev-parse', ...names])).toString('utf8').split('\n')
  return places.filter((name) => name !== '').map((name) => resolve(repository.top, name))
}

/** Git processes that editors keep running, which take no locks. */
const NEVER_LOCKS = /\0(?:fsmonitor--daemon|cat-file)\0/

/** @param askedAt when git was asked to commit, in milliseconds since 1970 */
async function ownAmong(
  locks: readonly string[], repository: Repository, { begin: { runId, startedAt } }: RunRecord,
  askedAt = Date.parse(startedAt),
): Promise<string[]> {
  const hasOther = isGitAtWork(repository)
  const trailer = `Hermes-Run: ${runId}`
  const isOfRun = async (commit: string): Promise<boolean> => {
    const { exitCode, stdout } = await repository.try(['log', '-1', '--format=%B', commit, '--'])
    return exitCode === 0 && stdout.toString('utf8').split('\n').includes(trailer)
  }
  const isOwnHead = await isOfRun('HEAD')
  // Times when the run's own git last wrote the files that it writes on the way to a commit.
  const { gitDirectory } = repository
  const index = join(gitDirectory, `hermes-index-${runId}`)
  const message = join(gitDirectory, 'COMMIT_EDITMSG')
  const files = [index, `${index}.lock`]
  if (readIfThere(message).includes(trailer)) files.push(message)
  if (isOwnHead) files.push(join(gitDirectory, 'logs', 'HEAD'), join(gitDirectory, 'HEAD'))
  const times = files.map(timeOf).filter((time) => time !== undefined)
  if (isOwnHead) {
    const committed = (await repository.try(['log', '-1', '--format=%ct'])).stdout.toString('utf8')
    times.push(Number(committed) * 1000)
  }
  const last = Math.max(askedAt, ...times)
  const own: string[] = []
  for (const lock of locks) {
    const holds = readIfThere(lock).toString('latin1').trim()
    const at = timeOf(lock)
    const isNext = !hasOther && at !== undefined && at >= askedAt - TICK_MS && at <= last + NEXT_STEP_MS
    // The run's lock of the index names the run, except in the moment before that is written.
    const isOwn = lock.endsWith(`${sep}index.lock`)
      ? isLockOf(lock, runId) || (isNext && (isOwnHead || holds === ''))
      : /^[0-9a-f]{40,}$/.test(holds) ? await isOfRun(holds) : isNext
    if (isOwn) own.push(lock)
  }
  return own
}

/** Whether another git is at work (Linux): its working directory is in the work tree or in git's directory. */
function isGitAtWork({ top, gitDirectory }: Repository): boolean {
  return listPids().some((pid) => {
    if (!/^git\b/.test(readProcess(pid)?.command ?? '')) return false
    if (NEVER_LOCKS.test(readIfThere(`/proc/${pid}/cmdline`).toString('latin1'))) return false
    const directory = orNothing(() => readlinkSync(`/proc/${pid}/cwd`), '')
    return [top, gitDirectory].some((place) => directory === place || directory.startsWith(`${place}${sep}`))
  })
}

function timeOf(path: string): number | undefined {
  return orNothing(() => statSync(path).mtimeMs, undefined)
}

function readIfThere(path: string): Buffer {
  return orNothing(() => readFileSync(path), Buffer.alloc(0))
}

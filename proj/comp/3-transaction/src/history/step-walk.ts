import { HermesError } from '../../../0-contracts/src/index.js'
import { listed } from '../../../0-text/src/index.js'
import { gitFailure } from '../../../2-git/src/index.js'
import type { Repository } from '../transaction/index.js'
import { shortId, shortName, type OpenHistory } from './open-history.js'
import { restoreWork } from './restore-work.js'
import { clearWork, saveWork } from './save-work.js'
import { writeSteps, type SavedWork, type StepsState } from './steps-state.js'
import { AS_IT_IS } from './work-index.js'
import { workStatus } from './work-status.js'

/** The outcome of a step. Paths are relative to the top of the work tree. */
export interface StepOutcome {
  /** False when work that belongs to the commit could not be restored. */
  success: boolean
  /** Full SHAs. */
  from: string
  to: string
  /** The branch, if it is checked out again. */
  branch?: string
  /** Files that were stashed before the step. */
  stashed_files?: string[]
  /** Files restored from an earlier stash. */
  restored_files?: string[]
  /** Files in the place of stashed ones. The stash is kept. */
  conflicts?: string[]
  /** SHAs of the stashes that could not be restored. */
  kept_stashes?: string[]
}

export interface Walk {
  command: string
  history: OpenHistory
  /** State before the step. */
  state: StepsState
  /**
   * State while moving: its trail has both ends of the step, so that HEAD is found on it if this process dies at any
   * moment.
   */
  during: StepsState
  /** State after the move. `walk` adds stashes to, and removes them from, all three states. */
  next: StepsState
  destination: Destination
}

/** Stashes the work at the present commit, moves, and restores the work at the new one. */
export async function walk(
  { command, history, state, during, next, destination }: Walk,
): Promise<StepOutcome> {
  const { repository, head } = history
  const work = await workStatus(command, repository, during.ignored)
  const saved = work.paths.length === 0 ? undefined : await saveWork(repository, head, work)
  const allSaved = saved ? [...state.saved, saved] : state.saved
  writeSteps(repository.top, { ...during, saved: allSaved })
  try {
    if (saved) await clearWork(repository, work)
    await moveHead(command, repository, destination)
  } catch (error) {
    if (saved) await takeBack(command, repository, saved)
    writeSteps(repository.top, state)
    throw error
  }
  const there = { ...history, head: destination.commit }
  const arrival = await arrive({ command, history: there, state: { ...next, saved: allSaved } })
  return {
    success: arrival.conflicts === undefined,
    from: head,
    to: destination.commit,
    ...(destination.branch !== undefined && { branch: destination.branch }),
    ...(work.paths.length > 0 && { stashed_files: work.paths }),
    ...arrival,
  }
}

/** Restores what was stashed at HEAD, and forgets stashes that the user has removed. */
export async function arrive(
  { command, history: { repository, head }, state }: Omit<Walk, 'during' | 'next' | 'destination'>,
): Promise<Pick<StepOutcome, 'restored_files' | 'conflicts' | 'kept_stashes'>> {
  const stashes = new Set(await listStashes(repository))
  const saved = state.saved.filter(({ stash }) => stashes.has(stash))
  writeSteps(repository.top, { ...state, saved })
  const restored: string[] = []
  const conflicts: string[] = []
  const kept: SavedWork[] = []
  for (const work of saved.filter(({ commit }) => commit === head)) {
    const outcome = await restoreWork(command, repository, work)
    if (outcome.conflicts.length === 0) await dropStash(repository, work.stash)
    else kept.push(work)
    restored.push(...outcome.restored)
    conflicts.push(...outcome.conflicts)
  }
  writeSteps(repository.top, { ...state, saved: saved.filter(work => work.commit !== head || kept.includes(work)) })
  return {
    ...(restored.length > 0 && { restored_files: restored }),
    ...(conflicts.length > 0 && { conflicts, kept_stashes: kept.map(({ stash }) => stash) }),
  }
}

/** The step was refused: restores what was just stashed. */
async function takeBack(command: string, repository: Repository, saved: SavedWork): Promise<void> {
  const { conflicts } = await restoreWork(command, repository, saved)
  if (conflicts.length > 0) {
    throw new HermesError('NONZERO_EXIT', `${command}: git refused the step, and your work could not be put back`, {
      hint: `It is safe in a stash: git stash apply --index ${saved.stash}.`, data: { conflicts },
    })
  }
  await dropStash(repository, saved.stash)
}

/** SHAs of all stashes; the place of each is its number. */
async function listStashes(repository: Repository): Promise<string[]> {
  if (await repository.resolve('refs/stash') === undefined) return []
  const output = await repository.run(['log', '--walk-reflogs', '--format=%H', 'refs/stash', '--'])
  return output.toString('utf8').split('\n').filter(line => line !== '')
}

/** Removes one stash from the list, wherever it stands in it. */
async function dropStash(repository: Repository, stash: string): Promise<void> {
  const number = (await listStashes(repository)).indexOf(stash)
  if (number >= 0) await repository.run(['stash', 'drop', '--quiet', `stash@{${number}}`])
}

/** A step that was made, but whose commit did not get its stashed work back, as an error for verbs. */
export function notRestored(command: string, outcome: StepOutcome): HermesError {
  const { to, conflicts = [], kept_stashes: [stash = ''] = [] } = outcome
  const message = `${command}: HEAD is at ${shortId(to)}, but files stand where stashed work would go`
  const names = conflicts.slice(0, 10).join(', ')
  const hint = `Move them away, then: git stash apply --index ${shortId(stash)}. In the way: ${names}.`
  return new HermesError('EEXIST', message, { hint, data: outcome })
}

interface Destination {
  commit: string
  /** Checked out instead of the commit alone. */
  branch?: string
}

/**
 * Checks out a commit or branch. The work tree must be clean; ignored files that stand in the way are not overwritten.
 *
 * @throws HermesError `EEXIST` for such files, `NONZERO_EXIT`; then nothing has changed
 */
async function moveHead(
  command: string, repository: Repository, { commit, branch }: Destination,
): Promise<void> {
  const target = branch === undefined ? ['--detach', commit] : [shortName(branch)]
  const output = await repository.try([...AS_IT_IS, 'checkout', '--quiet', '--no-overwrite-ignore', ...target, '--'])
  if (output.exitCode === 0) return
  const inTheWay = output.stderr.split('\n').filter(line => line.startsWith('\t')).map(line => line.trim())
  if (inTheWay.length > 0) {
    const message = `${command}: files that git does not track stand in the way of ${shortId(commit)}`
    const hint = `Move them away first: ${listed(inTheWay)}.`
    throw new HermesError('EEXIST', message, { hint, data: { conflicts: inTheWay } })
  }
  throw gitFailure(command, output)
}

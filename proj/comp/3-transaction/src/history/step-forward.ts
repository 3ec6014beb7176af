import { HermesError } from '../../../0-contracts/src/index.js'
import { shortId, shortName, withHistory, type HistoryOptions, type OpenHistory } from './open-history.js'
import { positionOf, type Position } from './position.js'
import { NO_STEPS, readSteps, type StepsState } from './steps-state.js'
import { arrive, walk, type StepOutcome } from './step-walk.js'

const COMMAND = 'step-forward'

/**
 * The verb `git_step_forward`: moves HEAD to the next commit towards the one that was left; there it checks out the
 * branch again. Work that was stashed at the commit is restored; work done meanwhile is stashed first. If HEAD is at
 * that commit already but its work was not restored, tries again.
 *
 * @throws HermesError as `withHistory`; `INVALID_PARAMETER` when there is no further step, when the branch has moved,
 *   and where HEAD was moved by other means; `EEXIST` when files are in the way. Then nothing has changed.
 */
export function stepForward(options: HistoryOptions): Promise<StepOutcome> {
  return withHistory(COMMAND, options, async history => {
    const state = readSteps(history.repository.top)
    const position = await positionOf(history, state)
    if (position.kind === 'arrived' || position.kind === 'none') return finish(history, state)
    await requireUnmoved(history, state)
    if (position.kind === 'elsewhere') throw elsewhere(history, state, position)
    const { trail } = position
    const commit = trail.at(-1) ?? history.head
    const isLast = trail.length <= 1
    const destination = { commit, ...(isLast && state.branch !== null && { branch: state.branch }) }
    const next = isLast ? { ...NO_STEPS, saved: state.saved } : { ...state, trail: trail.slice(0, -1) }
    return walk({ command: COMMAND, history, state, during: state, next, destination })
  })
}

/** There is no further step, but stashed work may still have to be restored. */
async function finish(history: OpenHistory, state: StepsState): Promise<StepOutcome> {
  const { head, branch } = history
  if (!state.saved.some(({ commit }) => commit === head)) {
    throw new HermesError('INVALID_PARAMETER', 'step-forward: there is no commit to go forward to', {
      hint: 'Only commits that hermes step-back has left can be gone forward to.',
    })
  }
  const arrival = await arrive({ command: COMMAND, history, state: { ...NO_STEPS, saved: state.saved } })
  return {
    success: arrival.conflicts === undefined,
    from: head,
    to: head,
    ...(branch !== undefined && { branch }),
    ...arrival,
  }
}

/** @throws HermesError `INVALID_PARAMETER` when the branch has moved since it was left */
async function requireUnmoved({ repository }: OpenHistory, { branch, trail, saved }: StepsState): Promise<void> {
  const tip = trail[0]
  if (branch === null || tip === undefined) return
  const now = await repository.resolve(`${branch}^{commit}`)
  if (now === tip) return
  const name = shortName(branch)
  const stash = saved.find(({ commit }) => commit === tip)?.stash
  const work = stash === undefined ? '' : ` Work stashed there: git stash apply --index ${shortId(stash)}.`
  const message = now === undefined
    ? `step-forward: the branch ${name} that was left is gone`
    : `step-forward: the branch ${name} has moved from ${shortId(tip)} to ${shortId(now)} since it was left`
  const way = now === undefined
    ? `git branch ${name} ${shortId(tip)} makes it again.`
    : `git switch ${name} goes to where it is now.`
  throw new HermesError('INVALID_PARAMETER', message, { hint: way + work })
}

function elsewhere(
  { head, branch }: OpenHistory, state: StepsState, { expected }: Extract<Position, { kind: 'elsewhere' }>,
): HermesError {
  const where = branch === undefined ? `at ${shortId(head)}` : `on the branch ${shortName(branch)}`
  const back = expected === undefined ? '' : `git checkout --detach ${shortId(expected)} goes back on the way. `
  const left = state.branch === null ? shortId(state.trail[0] ?? '') : shortName(state.branch)
  return new HermesError('INVALID_PARAMETER', `step-forward: HEAD is ${where}, where no step has led`, {
    hint: `${back}Or stay: what was left is ${left}, and stashed work is in git stash list.`,
  })
}

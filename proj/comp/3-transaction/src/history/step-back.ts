import { HermesError } from '../../../0-contracts/src/index.js'
import { ownInstallation } from '../../../2-packages/src/index.js'
import { shortId, withHistory, type HistoryOptions, type OpenHistory } from './open-history.js'
import { positionOf } from './position.js'
import { readSteps, type StepsState } from './steps-state.js'
import { walk, type StepOutcome } from './step-walk.js'
import { ignoredNow } from './work-status.js'

const COMMAND = 'step-back'

/**
 * The verb `git_step_back`: moves HEAD, detached, to the first parent of the current commit. Uncommitted work,
 * untracked files included, is stashed first and comes back with `stepForward`.
 *
 * @throws HermesError as `withHistory`; `INVALID_PARAMETER` at the first commit, and where HEAD was moved by other
 *   means; `EEXIST` when files are in the way. Then nothing has changed.
 */
export function stepBack(options: HistoryOptions): Promise<StepOutcome> {
  return withHistory(COMMAND, options, async history => {
    const state = readSteps(history.repository.top)
    const start = await startOf(history, state)
    const parent = await history.repository.resolve(`${history.head}^1^{commit}`)
    if (parent === undefined) throw noParent(history.head)
    const next = { ...start, trail: [...start.trail, history.head] }
    return walk({ command: COMMAND, history, state, during: next, next, destination: { commit: parent } })
  })
}

async function startOf(history: OpenHistory, state: StepsState): Promise<StepsState> {
  const position = await positionOf(history, state)
  if (position.kind === 'stepped-back') {
    const [first] = position.trail
    // Stepping back again from the last commit, without its branch: the trail has it already.
    return { ...state, trail: first === history.head ? [] : position.trail }
  }
  if (position.kind === 'elsewhere' && history.branch === undefined) throw offTheWay(history.head, position.expected)
  const ignored = await ignoredNow(history.repository)
  // The installation of hermes itself does not count as work, even where git does not ignore it: without it there would
  // be no step forward.
  const installed = history.repository.pathOf(ownInstallation() ?? '/')
  if (installed !== undefined) ignored.push(`${installed}/`)
  return { ...state, branch: history.branch ?? null, trail: [], ignored }
}

function noParent(head: string): HermesError {
  return new HermesError('INVALID_PARAMETER', `step-back: ${shortId(head)} has no commit before it`, {
    hint: 'This is the first commit, or the first of a shallow clone. hermes step-forward goes the other way.',
  })
}

function offTheWay(head: string, expected: string | undefined): HermesError {
  const back = expected === undefined ? '' : `, or go back on the way: git checkout --detach ${shortId(expected)}`
  return new HermesError('INVALID_PARAMETER', `step-back: HEAD is at ${shortId(head)}, where no step has led`, {
    hint: `To keep its commits, make it a branch: git switch -c NAME${back}. Then try again.`,
  })
}

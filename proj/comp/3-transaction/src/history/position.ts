import type { OpenHistory } from './open-history.js'
import type { StepsState } from './steps-state.js'

/** Where HEAD is as seen from the commits stepped back from. */
export type Position =
  /** On the way: `trail` holds the commits still ahead, the next one last. */
  | { kind: 'stepped-back'; trail: string[] }
  /** Where the branch was left, or HEAD before the first step. */
  | { kind: 'arrived' }
  /** Where no step has led. `expected`: where the last step did; `undefined` when that commit is gone. */
  | { kind: 'elsewhere'; expected: string | undefined }
  /** Nothing was stepped back from. */
  | { kind: 'none' }

/** Also true after a step that died on its way: what counts is HEAD. */
export async function positionOf({ repository, head, branch }: OpenHistory, state: StepsState): Promise<Position> {
  const last = state.trail.at(-1)
  if (last === undefined) return { kind: 'none' }
  const isStart = head === state.trail[0]
  if (isStart && branch === (state.branch ?? undefined)) return { kind: 'arrived' }
  const expected = await repository.resolve(`${last}^1^{commit}`)
  if (branch !== undefined) return { kind: 'elsewhere', expected }
  if (head === expected) return { kind: 'stepped-back', trail: state.trail }
  const place = state.trail.indexOf(head)
  if (place > 0) return { kind: 'stepped-back', trail: state.trail.slice(0, place) }
  // At the last commit, but not yet on its branch.
  if (isStart) return { kind: 'stepped-back', trail: [head] }
  return { kind: 'elsewhere', expected }
}

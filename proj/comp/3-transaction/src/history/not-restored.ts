import { HermesError } from '../../../0-contracts/src/index.js'
import { shortId } from './open-history.js'
import type { StepOutcome } from './step-walk.js'

/** A step that was made, but whose commit did not get its stashed work back, as an error for verbs. */
export function notRestored(command: string, outcome: StepOutcome): HermesError {
  const { to, conflicts = [], kept_stashes: [stash = ''] = [] } = outcome
  const message = `${command}: HEAD is at ${shortId(to)}, but files stand where stashed work would go`
  const names = conflicts.slice(0, 10).join(', ')
  const hint = `Move them away, then: git stash apply --index ${shortId(stash)}. In the way: ${names}.`
  return new HermesError('EEXIST', message, { hint, data: outcome })
}

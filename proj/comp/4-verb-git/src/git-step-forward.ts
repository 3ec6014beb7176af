import * as v from 'valibot'
import { defineVerb, text } from '../../0-contracts/src/index.js'
import { stepForward } from '../../3-transaction/src/index.js'
import { ALONE, step, STEP, STEP_ENDS, STEP_WORK } from './history-step.js'

/** Moves HEAD to the next commit that git_step_back left. */
export const gitStepForward = defineVerb({
  ...STEP,
  name: 'git_step_forward',
  description: 'Move HEAD to the next of the commits that git_step_back has left, and put back the work that was '
    + 'stashed there. At the last one the branch is checked out again.',
  constraints: [
    'Work done meanwhile is stashed first, and belongs to the commit it was done at.',
    'Where files stand in the way of stashed work, none of it is put back, the stash is kept, and the verb fails with '
      + 'the names in its data; called again at the last commit, it tries again.',
    'Fails when the branch has moved, or another commit was checked out, since git_step_back.',
    ALONE,
  ],
  result: v.strictObject({
    ...STEP_ENDS,
    branch: v.optional(text('Branch that is checked out again, for example refs/heads/main.')),
    ...STEP_WORK,
  }),
  handler: (_args, context) => step('git_step_forward', stepForward, context),
})

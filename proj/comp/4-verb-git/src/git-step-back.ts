import * as v from 'valibot'
import { defineVerb } from '../../0-contracts/src/index.js'
import { stepBack } from '../../3-transaction/src/index.js'
import { ALONE, step, STEP, STEP_ENDS, STEP_WORK } from './history-step.js'

/** Moves HEAD to the commit before. */
export const gitStepBack = defineVerb({
  ...STEP,
  name: 'git_step_back',
  description: 'Move HEAD to the commit before the current one, its first parent. What is not committed, untracked '
    + 'files included, is stashed before; git_step_forward brings it back.',
  constraints: [
    'HEAD is detached: the branch stays where it is.',
    'Ignored files and submodules are not touched; where the commit has a file under the name of one, nothing is done.',
    'Not during a merge or rebase, and not at the first commit.',
    ALONE,
  ],
  result: v.strictObject({ ...STEP_ENDS, ...STEP_WORK }),
  handler: (_args, context) => step('git_step_back', stepBack, context),
})

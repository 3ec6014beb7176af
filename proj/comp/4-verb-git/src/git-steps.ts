import * as v from 'valibot'
import { defineVerb, text, texts, type VerbContext } from '../../0-contracts/src/index.js'
import { notRestored, stepBack, stepForward, type StepOutcome } from '../../3-transaction/src/index.js'

/** What both steps have in common. */
const STEP = {
  vocabulary: 'clada',
  category: 'version_control',
  type: 'git',
  requires: { programs: ['git'] },
  accessibility: ['user'],
  args: v.strictObject({}),
  examples: [{}],
} as const

const ends = {
  from: text('Full hash of the commit HEAD was at.'),
  to: text('Full hash of the commit HEAD is at now.'),
}
const work = {
  stashed_files: v.optional(texts('Files whose changes were stashed, relative to the top of the repository.')),
  restored_files: v.optional(texts('Files whose changes, stashed at this commit earlier, are back.')),
}
const ALONE = 'Not within a run: it takes the root for itself.'

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
  result: v.strictObject({ ...ends, ...work }),
  handler: (_args, context) => step('git_step_back', stepBack, context),
})

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
    ...ends,
    branch: v.optional(text('Branch that is checked out again, for example refs/heads/main.')),
    ...work,
  }),
  handler: (_args, context) => step('git_step_forward', stepForward, context),
})

async function step(
  verb: string, move: typeof stepBack, { session, signal, runId, sandbox, approve }: VerbContext,
): Promise<Omit<StepOutcome, 'success'>> {
  const outcome = await move({
    root: session.root, signal, within: runId, hooks: { sandbox, approve, network: false },
  })
  if (!outcome.success) throw notRestored(verb, outcome)
  const { from, to, branch, stashed_files: stashed, restored_files: restored } = outcome
  return {
    from, to, ...(branch !== undefined && { branch }),
    ...(stashed && { stashed_files: stashed }), ...(restored && { restored_files: restored }),
  }
}

import * as v from 'valibot'
import { defineVerb, text, texts } from '../../0-contracts/src/index.js'
import { notRestored, stepForward } from '../../3-transaction/src/index.js'

/** Moves HEAD to the next commit that git_step_back left. */
export const gitStepForward = defineVerb({
  name: 'git_step_forward',
  vocabulary: 'clada',
  description: 'Move HEAD to the next of the commits that git_step_back has left, and put back the work that was '
    + 'stashed there. At the last one the branch is checked out again.',
  category: 'version_control',
  type: 'git',
  requires: { programs: ['git'] },
  accessibility: ['user'],
  constraints: [
    'Work done meanwhile is stashed first, and belongs to the commit it was done at.',
    'Where files stand in the way of stashed work, none of it is put back, the stash is kept, and the verb fails with '
      + 'the names in its data; called again at the last commit, it tries again.',
    'Fails when the branch has moved, or another commit was checked out, since git_step_back.',
    'Not within a run: it takes the root for itself.',
  ],
  args: v.strictObject({}),
  result: v.strictObject({
    from: text('Full hash of the commit HEAD was at.'),
    to: text('Full hash of the commit HEAD is at now.'),
    branch: v.optional(text('Branch that is checked out again, for example refs/heads/main.')),
    stashed_files: v.optional(texts('Files whose changes were stashed, relative to the top of the repository.')),
    restored_files: v.optional(texts('Files whose changes, stashed at this commit earlier, are back.')),
  }),
  examples: [{}],
  async handler(_args, { session, signal, runId, sandbox, approve }) {
    const outcome = await stepForward({
      root: session.root, signal, within: runId, hooks: { sandbox, approve, network: false },
    })
    if (!outcome.success) throw notRestored('git_step_forward', outcome)
    const { from, to, branch, stashed_files: stashed, restored_files: restored } = outcome
    return {
      from,
      to,
      ...(branch !== undefined && { branch }),
      ...(stashed && { stashed_files: stashed }),
      ...(restored && { restored_files: restored }),
    }
  },
})

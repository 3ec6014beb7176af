import * as v from 'valibot'
import { defineVerb, text, texts } from '../../0-contracts/src/index.js'
import { notRestored, stepBack } from '../../3-transaction/src/index.js'

/** Moves HEAD to the commit before. */
export const gitStepBack = defineVerb({
  name: 'git_step_back',
  vocabulary: 'clada',
  description: 'Move HEAD to the commit before the current one, its first parent. What is not committed, untracked '
    + 'files included, is stashed before; git_step_forward brings it back.',
  category: 'version_control',
  type: 'git',
  requires: { programs: ['git'] },
  accessibility: ['user'],
  constraints: [
    'HEAD is detached: the branch stays where it is.',
    'Ignored files and submodules are not touched; where the commit has a file under the name of one, nothing is done.',
    'Not during a merge or rebase, and not at the first commit.',
    'Not within a run: it takes the root for itself.',
  ],
  args: v.strictObject({}),
  result: v.strictObject({
    from: text('Full hash of the commit HEAD was at.'),
    to: text('Full hash of the commit HEAD is at now.'),
    stashed_files: v.optional(texts('Files whose changes were stashed, relative to the top of the repository.')),
    restored_files: v.optional(texts('Files whose changes, stashed at this commit earlier, are back.')),
  }),
  examples: [{}],
  async handler(_args, { session, signal, runId, sandbox, approve }) {
    const outcome = await stepBack({
      root: session.root, signal, within: runId, hooks: { sandbox, approve, network: false },
    })
    if (!outcome.success) throw notRestored('git_step_back', outcome)
    const { from, to, stashed_files: stashed, restored_files: restored } = outcome
    return { from, to, ...(stashed && { stashed_files: stashed }), ...(restored && { restored_files: restored }) }
  },
})

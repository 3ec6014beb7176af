import * as v from 'valibot'
import { defineVerb, described, flag, HermesError, text, texts, titled } from '../../0-contracts/src/index.js'
import { undo as undoRun, type UndoOutcome } from '../../3-transaction/src/index.js'
import { USERS_GIT } from './verb-kinds.js'

const mergedPath = titled('MergedPath', {
  path: text('The path.'),
  marked: described(v.boolean(), 'It holds conflict markers.'),
})

const keptPath = titled('KeptPath', {
  path: text('The path.'),
  reason: text('Why it stays as it is.'),
})

/** Undoes the last run. */
export const undo = defineVerb({
  ...USERS_GIT,
  name: 'undo',
  description: 'Take back the last run that is in force: every file is again as it was before it. In a git work tree '
    + 'the undo is a commit of its own.',
  constraints: [
    'Nothing is done where a file was changed since, unless force is true.',
    'Fails where something could not be put back, with what it was in its data; called again it goes on.',
    'Not within a run: it takes the root for itself.',
  ],
  primary: 'run',
  args: v.strictObject({
    run: v.optional(text('Id of the run to take back, from hermes log. Default: the last one.')),
    force: flag('Keep what was changed since and merge it, with conflict markers. False by default.', false),
  }),
  result: v.strictObject({
    run: text('Id of the run that was taken back.'),
    restored: texts('Paths that are as before again.'),
    merged: described(v.array(mergedPath), 'Paths in which both changes are now.'),
    kept: described(v.array(keptPath), 'Paths that stay as someone else has changed them.'),
    warnings: texts('What else the user should know.'),
    commit: v.optional(text('Full hash of the commit of the undo.')),
  }),
  examples: [{}],
  async handler({ run, force }, { session, gate, runId, signal, sandbox, approve }) {
    const outcome = await undoRun({
      root: session.root, gate, runId, force, git: true, durable: false, waitMs: 0, signal,
      hooks: { sandbox, approve, network: false },
      ...(run !== undefined && { target: run }),
    })
    if (!outcome.success) throw notUndone(outcome)
    const { target, restored, merged, kept, warnings, gitCommit } = outcome
    return { run: target, restored, merged, kept, warnings, ...(gitCommit !== undefined && { commit: gitCommit }) }
  },
})

function notUndone(outcome: UndoOutcome): HermesError {
  const { target, left, fatalError } = outcome
  if (left.length === 0) {
    return new HermesError('NONZERO_EXIT', `undo: ${fatalError ?? 'not committed'}`, { data: outcome })
  }
  const named = left.slice(0, 10).map(({ path, reason }) => `${path} (${reason})`).join(', ')
  return new HermesError('CHANGED_ON_DISK', `undo: run ${target} is undone in part, not put back: ${named}`, {
    hint: 'Mend what is named, then call undo again: it goes on where it stopped.', data: outcome,
  })
}

import * as v from 'valibot'
import { boundedText, defineVerb, described, flag, integer, text, texts, titled } from '../../0-contracts/src/index.js'
import { squash, SQUASH_MODES } from '../../3-transaction/src/index.js'
import { USERS_GIT } from './verb-kinds.js'

const squashedCommit = titled('SquashedCommit', {
  commit: text('Full hash of the new commit.'),
  subject: text('First line of its message.'),
  replaces: texts('Full hashes of the commits it stands for, oldest first.'),
})

/** Combines commits that are not pushed into one. */
export const gitSquash = defineVerb({
  ...USERS_GIT,
  name: 'git_squash',
  description: 'Make one commit of several that are not pushed yet. Files and index stay as they are, and the old head '
    + 'is kept under a ref.',
  constraints: [
    'Only commits that no remote branch has, and that are newer than the last merge.',
    'hours, days and msg_target (of mode msg_contains) are required by their mode, and taken by no other.',
    'Fails when fewer than two commits in a row are selected, on a detached HEAD, and during a merge or rebase.',
    'Not within a run: it takes the root for itself.',
  ],
  primary: 'mode',
  args: v.strictObject({
    mode: described(v.picklist(SQUASH_MODES), 'Which commits: auto_ai those made by hermes, ai_messages those whose '
      + 'subject begins with "AI: ", hours and days those of the last so many hours or days by committer date, '
      + 'msg_contains those whose message holds msg_target.'),
    message: v.optional(boundedText('Message of each new commit. Default: made from the subjects.', { min: 1 })),
    hours: v.optional(integer('With mode hours: how many.', 1)),
    days: v.optional(integer('With mode days: how many.', 1)),
    msg_target: v.optional(boundedText('With mode msg_contains: the text to look for; case counts.', { min: 1 })),
    contiguous_only: flag(
      'True (the default): only the unbroken run of selected commits that ends at HEAD. False: every such run becomes '
      + 'one commit, and the commits between are kept.', true,
    ),
  }),
  result: v.strictObject({
    from: text('Full hash of HEAD before.'),
    to: text('Full hash of HEAD now.'),
    squashed: described(v.array(squashedCommit), 'The new commits, newest first.'),
    kept_ref: text('Ref that keeps the old head.'),
    undo: text('Command that goes back to it.'),
  }),
  examples: [{ mode: 'auto_ai' }, { mode: 'msg_contains', msg_target: 'AI: ', contiguous_only: false }],
  async handler(args, { session, signal, runId }) {
    const { from, to, squashed, kept_ref: keptRef, undo } = await squash(
      { root: session.root, signal, within: runId }, args,
    )
    return { from, to, squashed, kept_ref: keptRef, undo }
  },
})

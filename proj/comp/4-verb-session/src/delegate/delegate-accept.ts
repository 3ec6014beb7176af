import * as v from 'valibot'
import { defineVerb, described, HermesError, integer, text, texts } from '../../../0-contracts/src/index.js'
import { listed, shownName } from '../../../0-text/src/index.js'
import { acceptChanges } from './accept-changes.js'
import { delegatesOf } from './delegates-of.js'

/** Takes over what a delegate changed in its copy. */
export const delegateAccept = defineVerb({
  name: 'delegate_accept',
  vocabulary: 'clada',
  description: 'Take over all that a delegate changed in its copy, as its result listed it: every file or none. It is '
    + 'refused where one of these files was changed here meanwhile.',
  category: 'delegate',
  type: 'write',
  constraints: ['Each file has to be as it was when the copy was made.', 'Undo takes it back as any write.'],
  primary: 'name',
  args: v.strictObject({ name: text('The delegate, by the name in its result.') }),
  result: v.strictObject({
    name: text('The delegate.'),
    files: texts('What was changed, from the root.'),
    already: v.optional(described(v.literal(true), 'All was so already, and nothing was done.')),
    bytes: integer('Written, all files together.', 0),
  }),
  examples: [{ name: 'money-tests' }],
  async handler({ name }, context) {
    const delegates = delegatesOf('delegate_accept', context)
    const proposal = delegates.proposal(name)
    if (!proposal) {
      const { proposals } = delegates
      throw new HermesError('INVALID_PARAMETER', `delegate_accept: there are no changes of a delegate ${name}`, {
        hint: proposals.length > 0 ? `There are some of ${listed(proposals)}.`
          : 'Only delegates with mode "copy" that changed something in this process have some; give the task again.',
      })
    }
    const { bytes, isDone } = await acceptChanges(proposal.changes, context)
    const files = proposal.changes.map(({ path, from }) => (
      from === undefined ? shownName(path) : `${shownName(from)} → ${shownName(path)}`
    ))
    return { name, files, bytes, ...(isDone && { already: true as const }) }
  },
})

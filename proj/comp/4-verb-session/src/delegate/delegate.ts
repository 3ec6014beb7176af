import * as v from 'valibot'
import {
  boundedText, defineVerb, type DelegateOutcome, described, HermesError, integerBetween, text, texts,
} from '../../../0-contracts/src/index.js'
import { shownName } from '../../../0-text/src/index.js'
import { delegatesOf } from './delegates-of.js'

/** The task of a delegate, as long as it may be. */
const MOST_TASK = 20_000
/** What is kept of its answer, in UTF-16 units: the bound of a call cuts further. */
const MOST_ANSWER = 40_000

const CHANGE = v.strictObject({
  path: text('From the root.'),
  change: described(v.picklist(['create', 'modify', 'delete', 'move']), 'What was done to the file.'),
  from: v.optional(text('Of a moved file: where it was.')),
  executable: v.optional(described(v.boolean(), 'It was made executable, or no longer is.')),
})

/** Seed 003 'subagents': a task in a context of its own. */
export const delegate = defineVerb({
  name: 'delegate',
  vocabulary: 'clada',
  description: 'Give a task to another agent with a fresh context, and get its answer: for a search through much, or a '
    + 'piece of work that can be done by itself. It knows nothing of this conversation. mode "read" only reads; mode '
    + '"copy" works in a copy of the project, and delegate_accept takes over what it changed. Calls in one answer run '
    + 'at once, three at a time.',
  category: 'delegate',
  type: 'meta',
  constraints: [
    'It has your tools or fewer, no delegates of its own, and takes its turns and tokens from yours.',
    'A copy has no .git and nothing that git ignores; its changes are none here before they are accepted.',
    'Not done in a dry run.',
  ],
  primary: 'name',
  asksWithCommand: true,
  args: v.strictObject({
    task: boundedText('What to do, with all it has to know: paths, what was found out, what the answer shall say.', {
      min: 1, max: MOST_TASK,
    }),
    mode: v.optional(described(v.picklist(['read', 'copy']), 'Default "read".')),
    name: v.optional(v.pipe(
      v.string(), v.regex(/^[a-z\d][a-z\d-]{0,39}$/, 'write small letters, digits and -, at most 40'),
      v.description('What it is called, for delegate_accept and the user: small letters, digits and -. Default: '
        + 'delegate-1, …'),
    )),
    tools: v.optional(texts('Names of the tools it may call. Default: all of yours that its mode allows.')),
    max_turns: v.optional(integerBetween('Its answers, at most. Default 15.', 1, 100)),
    max_tokens: v.optional(integerBetween('Tokens that it reads and writes, at most.', 1000, 100_000_000)),
    max_seconds: v.optional(integerBetween('How long it may take. Default 600.', 1, 3600)),
  }),
  result: v.strictObject({
    name: text('What it is called.'),
    answer: text('What it said at its end.'),
    ended: described(
      v.picklist(['answer', 'turns', 'tokens', 'time', 'length', 'loop']),
      'Why it ended; with turns, tokens and time its budget was used up before it was done.',
    ),
    turns: described(v.number(), 'Its answers.'),
    tokens: described(v.number(), 'Tokens read and written.'),
    cost: v.optional(described(v.number(), 'What it cost, where prices are known.')),
    changes: v.optional(described(v.array(CHANGE), 'Of a copy: what delegate_accept would take over.')),
    diff: v.optional(text('The same as a diff.')),
    left_out: v.optional(texts('Done in the copy, and no part of the changes.')),
  }),
  examples: [
    { task: 'Find every place that reads the setting "limits", and say what each does with it.', name: 'limits' },
    { task: 'Write tests for src/money.js in test/money.test.js, and run them.', mode: 'copy', name: 'money-tests' },
  ],
  async handler({ mode = 'read', task, name, tools, ...most }, context) {
    const delegates = delegatesOf('delegate', context)
    if (mode === 'copy' && context.elsewhere) {
      throw new HermesError('POLICY_DENIED', 'delegate: the files are on another machine, and are not copied', {
        hint: 'Use mode "read", or do the task yourself.',
      })
    }
    const outcome = await delegates.run({
      task, mode, name, tools, maxTurns: most.max_turns, maxTokens: most.max_tokens, maxSeconds: most.max_seconds,
    }, context)
    for (const note of outcome.notes) context.advise?.(note)
    return told(outcome)
  },
})

function told({ name, answer, ended, turns, tokens, cost, proposal }: DelegateOutcome) {
  const isCut = answer.length > MOST_ANSWER
  return {
    name, answer: isCut ? `${answer.slice(0, MOST_ANSWER)}\n[cut here: ask for a shorter answer]` : answer,
    ended, turns, tokens, ...(cost !== undefined && { cost }),
    ...(proposal && proposal.changes.length > 0 && {
      changes: proposal.changes.map(({ kind, path, from, before, after }) => ({
        path: shownName(path), change: kind, ...(from !== undefined && { from: shownName(from) }),
        ...(after && after.executable !== (before?.executable ?? false) && { executable: after.executable }),
      })),
      diff: proposal.diff,
    }),
    ...(proposal && proposal.leftOut.length > 0 && { left_out: [...proposal.leftOut] }),
  }
}

import { reportNames } from '../../../../7-output/src/index.js'
import type { Flag } from '../../arguments.js'
import type { CommandSpec } from '../../command.js'
import {
  ATOMIC_FLAG, CHECKS_FLAG, DURABLE_FLAG, EXTENSION_FLAGS, FORMAT_FLAGS, FILE_ABOUT, JSON_FLAG, MAPPING_FLAG,
  MATCH_FLAG, NO_GIT_FLAG, NO_HOOKS_FLAG, PLACE_FLAGS, RELATIVE_FLAG, SANDBOX_FLAGS, THINK_FLAG, TIMEOUT_FLAG,
  TOOLSET_FLAG, TRAINING_FORMATS, WAIT_FLAG, YES_FLAG,
} from '../../common-flags.js'

const RECORD_FLAGS: readonly Flag[] = [
  { name: 'record', value: 'FILE', help: 'Add the run to FILE.jsonl, one event a line, for hermes replay' },
  { name: 'trajectory', value: 'FILE', help: 'Add the run to FILE.jsonl as training data, one run a line' },
  { name: 'trajectory-as', value: 'FORMAT', choices: TRAINING_FORMATS, help: 'sharegpt (default), openai, responses, '
    + 'anthropic or vercel' },
]

export const command: CommandSpec = {
  name: 'apply',
  summary: "Run every live block of a model's answer",
  usage: ['apply [FILE|-] [options]'],
  about: `
  ${FILE_ABOUT}
  Each block is validated and run on its own: one bad block never costs another. Files outside the root
  are never touched by a verb. Commands (exec, proc.run, execute_command, execute_script) run in a sandbox: they
  write in the root only, and reach neither your home nor the network. The hooks of git that a commit runs are
  yours, and run in the sandbox too; those that the run itself changed are not run.
  hermes.yaml and ~/.hermes/config.yaml say what a run may do, the stricter counts; see hermes help policy.
  `,
  maxPositionals: 1,
  flags: [
    ...PLACE_FLAGS, RELATIVE_FLAG,
    { name: 'dry-run', help: 'Validate and show diffs, but change nothing and start no command' },
    { name: 'plan', value: 'FILE', help: 'With --dry-run: save what would happen; without it: do exactly that, '
      + 'or say what changed' },
    { name: 'continue', value: 'RUN', help: 'The answer has the mended blocks of that run (its id, the beginning of '
      + 'it, or last): do what is left, report both. With --reply and no FILE: what that run left to mend' },
    TOOLSET_FLAG,
    ...FORMAT_FLAGS,
    MAPPING_FLAG,
    THINK_FLAG,
    MATCH_FLAG,
    CHECKS_FLAG,
    ...SANDBOX_FLAGS,
    TIMEOUT_FLAG,
    { name: 'require-blocks', help: 'Exit with 1 when no live block is found' },
    { name: 'reply', help: 'Print the text to hand back to the model: what was read and printed, what failed and '
      + 'how to mend it' },
    { name: 'reply-tokens', value: 'N', help: 'With --reply: at most N tokens (default: reply.tokens of the policy '
      + 'files, else 8000)' },
    { name: 'feedback', help: 'Print only what failed and how to mend it' },
    { name: 'clipboard', help: 'Read the answer from the clipboard; with --reply or --feedback that text is put there, '
      + 'too' },
    JSON_FLAG,
    { name: 'report', value: 'FILE', repeatable: true, help: `Also write ${reportNames('run', true)}; repeatable` },
    { name: 'github', help: 'Also print annotations for GitHub Actions' },
    ...RECORD_FLAGS,
    ...EXTENSION_FLAGS,
    ATOMIC_FLAG,
    NO_HOOKS_FLAG, NO_GIT_FLAG,
    WAIT_FLAG,
    DURABLE_FLAG,
    YES_FLAG,
  ],
  example: {
    line: 'hermes apply answer.md --root ./project --root-alias /workspace',
    does: 'runs the blocks of answer.md in ./project',
  },
  exits: [
    [0, 'all blocks succeeded, or there were none'],
    [1, 'a block or a hook failed, a block did not parse, a plan no longer holds, '
      + 'or no block was found with --require-blocks'],
    [2, 'wrong usage, or the run could not be made'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).apply,
}

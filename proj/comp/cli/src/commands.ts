import type { Command } from './command.js'
import { EDIT_FORMATS } from '../../contracts/src/index.js'
import type { Flag } from './arguments.js'
import { batchCommand } from './batch-command.js'
import { chatCommand } from './chat-command.js'
import { DURABLE_FLAG, HELP_FLAG, JSON_FLAG, NO_GIT_FLAG, TRAINING_FORMATS, WAIT_FLAG } from './common-flags.js'
import { cronCommand } from './cron-command.js'
import { gatewayCommand } from './gateway-command.js'
import { HARNESS_COMMANDS } from './harness-commands.js'
import { mcpCommand } from './mcp-command.js'
import { replayCommands } from './replay-commands.js'
import { APPLY_EXTENSION_FLAGS, extensionCommands } from './extension-commands.js'
import { HISTORY_COMMANDS } from './history-commands.js'
import { workerCommands } from './worker-commands.js'
import { RUN_COMMANDS } from './run-commands.js'
import { reviewCommand } from './review-command.js'
import { serveCommand } from './serve-command.js'
import { setupCommands } from './setup-commands.js'
import { watchCommand } from './watch-command.js'
import { interactiveCommand } from './interactive-command.js'
import { SKILLS_COMMAND } from './skills-command.js'

const FILE_ABOUT = 'FILE is a text that holds blocks; without it, or as -, standard input is read.'
/** Those of the registry, which `--help` does not load; a test holds them together. */
const TOOLSETS = [
  'clada', 'hermes', 'core', 'read-only', 'edit', 'execute', 'git', 'terminal', 'skills', 'context', 'mcp',
  'edit-formats',
]
const TOOLSET_FLAG: Flag = {
  name: 'toolset', value: 'NAME', repeatable: true, choices: TOOLSETS, help: `By toolset: ${TOOLSETS.join(', ')}`,
}

const PLACE_FLAGS: readonly Flag[] = [
  { name: 'root', value: 'DIR', help: 'Directory to work in (default: the working directory)' },
  {
    name: 'allow', value: 'DIR', repeatable: true,
    help: 'Another directory that may be read and written; repeatable',
  },
  {
    name: 'root-alias', value: 'DIR', repeatable: true,
    help: 'Absolute path that stands for the root in the text, e.g. /workspace; repeatable',
  },
]
const EDIT_FORMAT_FLAG: Flag = {
  name: 'edit-format', value: 'LIST', repeatable: true, choices: EDIT_FORMATS,
  help: `Also read these edit formats: ${EDIT_FORMATS.join(', ')}; with commas, or repeated`,
}
const TIMEOUT_FLAG: Flag = {
  name: 'timeout', value: 'SECONDS', help: 'Time limit of each command, decimals allowed (default: 120)',
}
const MATCH_FLAG: Flag = {
  name: 'match', value: 'exact|tolerant',
  help: 'How edits find their place (default: tolerant; exact for file_replace_text)',
}
const THINK_FLAG: Flag = {
  name: 'starts-in-think', help: 'The text begins inside a think section whose opening tag is not part of it',
}
const SANDBOX_FLAGS: readonly Flag[] = [
  {
    name: 'sandbox', value: 'MODE', choices: ['auto', 'bwrap', 'none'],
    help: 'What holds commands: auto (default; without one each needs approval), bwrap, or none',
  },
  { name: 'network', help: 'Let commands reach the network' },
]
const YES_FLAG: Flag = {
  name: 'yes', help: 'Approve what asks for it, and confirm what can be taken back, without asking',
}

const RECORD_FLAGS: readonly Flag[] = [
  { name: 'record', value: 'FILE', help: 'Add the run to FILE.jsonl, one event a line, for hermes replay' },
  { name: 'trajectory', value: 'FILE', help: 'Add the run to FILE.jsonl as training data, one run a line' },
  { name: 'trajectory-as', value: 'FORMAT', choices: TRAINING_FORMATS, help: 'sharegpt (default), openai, responses, '
    + 'anthropic or vercel' },
]

/** Of the commands that stay and run one answer after the other. */
const SITTING_FLAGS: readonly Flag[] = [
  ...PLACE_FLAGS, { name: 'relative-paths', help: 'Accept relative paths in SHAM blocks; they start at the root' },
  TOOLSET_FLAG, EDIT_FORMAT_FLAG, MATCH_FLAG, ...SANDBOX_FLAGS, TIMEOUT_FLAG,
]

/** Every command that works. Nothing else knows them: the help, the hints and the dispatch are derived. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'apply',
    summary: "Run every live block of a model's answer",
    usage: ['apply [FILE|-] [options]'],
    about: [
      FILE_ABOUT,
      'Each block is validated and run on its own: one bad block never costs another. Files outside the root',
      'are never touched by a verb. Commands (exec, proc.run, execute_command, execute_script) run in a sandbox: they',
      'write in the root only, and reach neither your home nor the network. The hooks of git that a commit runs are',
      'yours, and run in the sandbox too; those that the run itself changed are not run.',
      'hermes.yaml and ~/.hermes/config.yaml say what a run may do, the stricter counts; see hermes help policy.',
    ],
    maxPositionals: 1,
    flags: [
      ...PLACE_FLAGS,
      { name: 'relative-paths', help: 'Accept relative paths in SHAM blocks; they start at the root' },
      { name: 'dry-run', help: 'Validate and show diffs, but change nothing and start no command' },
      { name: 'plan', value: 'FILE', help: 'With --dry-run: save what would happen; without it: do exactly that, '
        + 'or say what changed' },
      TOOLSET_FLAG,
      EDIT_FORMAT_FLAG,
      THINK_FLAG,
      MATCH_FLAG,
      ...SANDBOX_FLAGS,
      TIMEOUT_FLAG,
      { name: 'require-blocks', help: 'Exit with 1 when no live block is found' },
      { name: 'feedback', help: 'Print the text to hand back to the model: what failed and how to mend it' },
      { name: 'clipboard', help: 'Read the answer from the clipboard; with --feedback that text is put there, too' },
      JSON_FLAG,
      { name: 'report', value: 'FILE', help: 'Also write a report to FILE.html (a page to look at), '
        + 'FILE.md or FILE.json' },
      ...RECORD_FLAGS,
      ...APPLY_EXTENSION_FLAGS,
      { name: 'atomic', inlineValues: ['files'], help: 'All blocks or none; commands are refused (=files: they run, '
        + 'but only files are put back)' },
      { name: 'no-hooks', help: 'Run none of the commands that hooks: of the policy files names' },
      NO_GIT_FLAG,
      WAIT_FLAG,
      DURABLE_FLAG,
      YES_FLAG,
      HELP_FLAG,
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
    load: async () => (await import('./commands/apply.js')).apply,
  },
  reviewCommand([
    ...PLACE_FLAGS, { name: 'relative-paths', help: 'Accept relative paths in SHAM blocks; they start at the root' },
    TOOLSET_FLAG, EDIT_FORMAT_FLAG, THINK_FLAG, MATCH_FLAG, ...SANDBOX_FLAGS, TIMEOUT_FLAG,
    { name: 'require-blocks', help: 'Exit with 1 when no live block ran' },
    { name: 'atomic', inlineValues: ['files'], help: 'All blocks or none; commands are refused (=files: they run, '
      + 'but only files are put back)' },
    { name: 'no-hooks', help: 'Run none of the commands that hooks: of the policy files names' },
    NO_GIT_FLAG, WAIT_FLAG, DURABLE_FLAG,
  ]),
  {
    name: 'parse',
    summary: 'Show the blocks of a text without running them',
    usage: ['parse [FILE|-] [options]'],
    about: [FILE_ABOUT],
    maxPositionals: 1,
    flags: [EDIT_FORMAT_FLAG, THINK_FLAG, JSON_FLAG, HELP_FLAG],
    example: { line: 'hermes parse answer.md --json', does: 'prints {blocks, errors, skipped}' },
    exits: [[0, 'every live block parsed'], [1, 'there are parse errors'], [2, 'wrong usage']],
    load: async () => (await import('./commands/parse.js')).parseCommand,
  },
  {
    name: 'exec',
    summary: 'Run one verb: a bare YAML or JSON envelope in, its result as JSON out',
    usage: ['exec [FILE|-] [options]'],
    about: [
      'FILE holds verb: and arguments:, in YAML or JSON, and nothing else; without it, or as -, '
        + 'standard input is read.',
      'The JSON printed has succeeded, errorMessage on failure, and the fields of the result. All names ignore case.',
    ],
    maxPositionals: 1,
    flags: [
      ...PLACE_FLAGS,
      { name: 'relative-paths', help: 'Accept relative paths where a verb wants absolute ones; '
        + 'they start at the root' },
      { name: 'dry-run', help: 'Validate, but change nothing and start no command' },
      TOOLSET_FLAG,
      MATCH_FLAG,
      ...SANDBOX_FLAGS,
      TIMEOUT_FLAG,
      NO_GIT_FLAG,
      WAIT_FLAG,
      YES_FLAG,
      HELP_FLAG,
    ],
    example: {
      line: `echo '{"verb": "fs.exists", "arguments": {"path": "README.md"}}' | hermes exec`,
      does: 'prints {"succeeded": true, "exists": true}, on several lines',
    },
    exits: [[0, 'the verb succeeded'], [1, 'it failed, or did not run'], [2, 'wrong usage'], [130, 'interrupted']],
    load: async () => (await import('./commands/exec.js')).exec,
  },
  {
    name: 'tools',
    summary: 'List the verbs that blocks can call, show one, or check arguments against its schema',
    usage: [
      'tools list [options]', 'tools show NAME [options]', 'tools validate NAME [options]', 'tools doctor [options]',
    ],
    about: [
      'A verb is what a block names as its action. validate reads arguments for it, JSON or YAML, from standard input',
      'and says whether they fit its schema; nothing is run. Rules that no schema states (show lists them), and what',
      'is on the disk, are judged by a run only. Results are named as in the JSON Schema; '
        + 'idl shows them as hermes exec',
      'prints them, with camelCase names. doctor says of each toolset whether it can be used here, and if not, '
        + 'why and what',
      'to do.',
    ],
    maxPositionals: 2,
    flags: [
      { name: 'category', value: 'NAME', help: 'list: only verbs of this category; core: all core tools' },
      { ...TOOLSET_FLAG, help: `list, doctor: ${TOOLSET_FLAG.help.replace('By', 'by')}` },
      { name: 'root', value: 'DIR', help: 'doctor: directory whose policy counts (default: the working directory)' },
      { name: 'mcp', help: 'list: also the tools of the MCP servers you have configured, which are started for it' },
      {
        name: 'format', value: 'FORMAT', choices: ['idl', 'json-schema', 'openai', 'anthropic', 'mcp', 'yaml'],
        help: 'list, show: idl, json-schema, openai, anthropic, mcp, or yaml as in unified-design.yaml',
      },
      JSON_FLAG,
      HELP_FLAG,
    ],
    example: { line: 'hermes tools show file_replace_text', does: 'prints its parameters and an example block' },
    exits: [
      [0, 'done; the arguments are valid'], [1, 'the arguments are not valid; doctor: a toolset cannot be used'],
      [2, 'wrong usage, or no such verb'],
    ],
    load: async () => (await import('./commands/tools.js')).tools,
  },
  SKILLS_COMMAND,
  ...replayCommands([
    ...PLACE_FLAGS.filter(({ name }) => name === 'root-alias'),
    { name: 'relative-paths', help: 'Accept relative paths in SHAM blocks' },
    // Beside longer names of flags it has less room.
    { ...TOOLSET_FLAG, help: TOOLSET_FLAG.help.replace('By t', 'T') },
    EDIT_FORMAT_FLAG, MATCH_FLAG, ...SANDBOX_FLAGS, TIMEOUT_FLAG, NO_GIT_FLAG, YES_FLAG,
  ]),
  ...workerCommands([...SANDBOX_FLAGS, TIMEOUT_FLAG, TOOLSET_FLAG, YES_FLAG]),
  ...extensionCommands([EDIT_FORMAT_FLAG, THINK_FLAG]),
  watchCommand(SITTING_FLAGS, YES_FLAG),
  interactiveCommand(SITTING_FLAGS, YES_FLAG),
  serveCommand([
    ...PLACE_FLAGS, { name: 'relative-paths', help: 'Accept relative paths in SHAM blocks; they start at the root' },
    TOOLSET_FLAG, ...SANDBOX_FLAGS, TIMEOUT_FLAG, NO_GIT_FLAG, WAIT_FLAG, DURABLE_FLAG,
  ]),
  batchCommand([
    { ...TOOLSET_FLAG, help: TOOLSET_FLAG.help.replace('By', 'Only the verbs of this') }, ...SANDBOX_FLAGS, NO_GIT_FLAG,
    YES_FLAG,
  ]),
  chatCommand([
    ...PLACE_FLAGS.filter(({ name }) => name !== 'root-alias'),
    { ...TOOLSET_FLAG, help: TOOLSET_FLAG.help.replace('By', 'Only the verbs of this') },
    ...SANDBOX_FLAGS, NO_GIT_FLAG, WAIT_FLAG, YES_FLAG,
  ]),
  mcpCommand([
    ...PLACE_FLAGS,
    { name: 'relative-paths', help: 'Accept relative paths where a verb wants absolute ones; they start at the root' },
    TOOLSET_FLAG, EDIT_FORMAT_FLAG, MATCH_FLAG, ...SANDBOX_FLAGS, TIMEOUT_FLAG, NO_GIT_FLAG, WAIT_FLAG, DURABLE_FLAG,
    YES_FLAG,
  ]),
  ...RUN_COMMANDS,
  ...HISTORY_COMMANDS,
  cronCommand([...PLACE_FLAGS.filter(({ name }) => name !== 'root-alias'), ...SANDBOX_FLAGS, NO_GIT_FLAG, WAIT_FLAG]),
  gatewayCommand([
    ...PLACE_FLAGS.filter(({ name }) => name !== 'root-alias'), ...SANDBOX_FLAGS, NO_GIT_FLAG, WAIT_FLAG,
  ]),
  ...HARNESS_COMMANDS,
  ...setupCommands({ ...TOOLSET_FLAG, help: TOOLSET_FLAG.help.replace('By', 'Of this') }),
]

import type { Flag } from './arguments.js'
import type { Command } from './command.js'
import { HELP_FLAG, JSON_FLAG } from './common-flags.js'

const ROOT_FLAG: Flag = { name: 'root', value: 'DIR', help: 'Directory to work in (default: the working directory)' }

/** What sets hermes up and helps with it; `toolset` is the flag of that name. */
export function setupCommands(toolset: Flag): readonly Command[] {
  return [
    {
      name: 'prompt',
      summary: 'Print the instructions that make a model write blocks well',
      usage: ['prompt [options]'],
      about: [
        'For a system prompt: the format, the rules, what blocks can call, and examples. '
          + 'By default it tells of the verbs',
        'that go with the format (sham: clada, envelope: hermes, tool_call: core), without those that hermes.yaml and',
        '~/.hermes/config.yaml switch off. How many tokens it takes is estimated, on standard error.',
      ],
      maxPositionals: 0,
      flags: [
        {
          name: 'format', value: 'FORMAT', choices: ['sham', 'envelope', 'tool_call'],
          help: 'How blocks are written: sham (default), envelope or tool_call',
        },
        toolset,
        ROOT_FLAG,
        { name: 'root-alias', value: 'DIR', help: 'Absolute path that stands for the root in the text, '
          + 'e.g. /workspace' },
        { name: 'relative-paths', help: 'Allow relative paths in SHAM blocks; hermes apply needs the same flag' },
        { name: 'short', help: 'A line for each verb: without the descriptions of parameters and without rules' },
        { name: 'sizes', help: 'Show how large its parts are, in place of the text' },
        JSON_FLAG,
        HELP_FLAG,
      ],
      example: {
        line: 'hermes prompt --root-alias /workspace > system.md',
        does: 'writes the prompt for SHAM blocks to system.md',
      },
      exits: [[0, 'done'], [2, 'wrong usage, or a policy file cannot be read']],
      load: async () => (await import('./commands/prompt.js')).promptCommand,
    },
    {
      name: 'doctor',
      summary: 'Look at all that runs need here, and say what to do where something is missing',
      usage: ['doctor [options]'],
      about: [
        'Node, git, interpreters, the sandbox (a command is really tried in it), the root and its .hermes, '
          + 'the policy files,',
        'optional packages, and with --queue a Redis server. Nothing in the root is changed.',
      ],
      maxPositionals: 0,
      flags: [
        ROOT_FLAG,
        { name: 'queue', value: 'URL', help: 'Also ask this Redis server: redis://host:6379/0; '
          + 'its password may stand in HERMES_QUEUE_PASSWORD' },
        JSON_FLAG,
        HELP_FLAG,
      ],
      example: { line: 'hermes doctor', does: 'says what is there, and how to mend what is not' },
      exits: [
        [0, 'nothing is in the way; notes do not count'], [1, 'there are warnings or problems'], [2, 'wrong usage'],
        [130, 'interrupted'],
      ],
      load: async () => (await import('./commands/doctor.js')).doctor,
    },
    {
      name: 'config',
      summary: 'Show which settings count and where they come from, check and change them',
      usage: [
        'config [show|check|path] [options]', 'config get KEY [options]', 'config set KEY VALUE… [options]',
        'config edit [options]', 'config migrate [options]',
      ],
      about: [
        'The settings are your ~/.hermes/config.yaml and the hermes.yaml of the root; '
          + 'of both the stricter counts. set and',
        'edit change your file, or with --project that of the root; comments in it stay, and what is not valid is not',
        'written. A VALUE is YAML; a list takes several. migrate brings files of older versions up to date, '
          + 'and shows what',
        'it would write before it does.',
      ],
      maxPositionals: Infinity,
      flags: [
        ROOT_FLAG,
        { name: 'project', help: 'set, edit, migrate: the hermes.yaml of the root, in place of your file' },
        { name: 'unset', help: 'set: remove KEY' },
        { name: 'yes', help: 'migrate: write without asking' },
        { ...JSON_FLAG, help: `show, check, get, path: ${JSON_FLAG.help.replace('Print', 'print')}` },
        HELP_FLAG,
      ],
      example: {
        line: 'hermes config set limits.blocks 200 --project',
        does: 'lets a run in this project have 200 blocks at most',
      },
      exits: [
        [0, 'done'], [1, 'check: there are problems; edit, migrate: nothing was written'],
        [2, 'wrong usage, or a file cannot be read'], [130, 'interrupted'],
      ],
      load: async () => (await import('./commands/config.js')).config,
    },
    {
      name: 'init',
      summary: 'Set a project up: hermes.yaml, ignore files, a workflow for CI',
      usage: ['init [options]'],
      about: [
        'Asks about each file. What is there is replaced only where you say so. '
          + 'In a git work tree .hermes/ is ignored, and',
        'a workflow is offered that replays recorded conversations.',
      ],
      maxPositionals: 0,
      flags: [
        ROOT_FLAG, { name: 'yes', help: 'Write all that is not there, without asking; replace nothing' }, HELP_FLAG,
      ],
      example: { line: 'hermes init', does: 'asks, and writes hermes.yaml with all fields commented out' },
      exits: [[0, 'done'], [2, 'wrong usage, or nobody to ask'], [130, 'interrupted']],
      load: async () => (await import('./commands/init.js')).init,
    },
    {
      name: 'completion',
      summary: 'Print a script that completes commands, flags and names in a shell',
      usage: ['completion bash|zsh|fish'],
      about: ['bash: source <(hermes completion bash) in ~/.bashrc. zsh: the same in ~/.zshrc, after compinit. '
        + 'fish: write it to',
        '~/.config/fish/completions/hermes.fish.'],
      maxPositionals: 1,
      flags: [HELP_FLAG],
      example: { line: 'source <(hermes completion bash)', does: 'completes hermes in this shell' },
      exits: [[0, 'done'], [2, 'wrong usage']],
      load: async () => (await import('./commands/completion.js')).completion,
    },
    {
      name: 'help',
      summary: 'Explain a command, a topic, or the code of a failure',
      usage: ['help [COMMAND|TOPIC|CODE] [options]'],
      about: [
        'Without a name it lists commands and topics. Of a topic it prints the whole page.',
      ],
      maxPositionals: 1,
      flags: [
        { name: 'man', help: 'Print the manual page, as man shows it: hermes help --man | man -l -' },
        { name: 'markdown', help: 'Print the reference of all commands as Markdown' },
        HELP_FLAG,
      ],
      example: { line: 'hermes help TEXT_NOT_FOUND', does: 'says why it happens and what to write instead' },
      exits: [[0, 'done'], [2, 'nothing is known of that name']],
      load: async () => (await import('./commands/help.js')).help,
    },
  ]
}

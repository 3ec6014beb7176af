import type { Command } from './command.js'
import type { Flag } from './arguments.js'

export const HELP_FLAG: Flag = { name: 'help', short: 'h', help: 'Show this help' }
const JSON_FLAG: Flag = { name: 'json', help: 'Print one JSON document and nothing else' }
const FILE_ABOUT = 'FILE is a text that holds blocks; without it, or as -, standard input is read.'
const TOOLSET_FLAG: Flag = {
  name: 'toolset', value: 'NAME', repeatable: true,
  help: 'Only verbs of this toolset: clada, read-only, edit; repeatable',
}

/** Every command that works. Nothing else knows them: the help, the hints and the dispatch are derived. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'apply',
    summary: "Run every live block of a model's answer",
    usage: ['apply [FILE|-] [options]'],
    about: [
      FILE_ABOUT,
      'Each block is validated and run on its own: one bad block never costs another. Files outside the root',
      'are never touched by a verb. Commands (the exec verb) are not sandboxed: they may do what you may do.',
    ],
    maxPositionals: 1,
    flags: [
      { name: 'root', value: 'DIR', help: 'Directory to work in (default: the working directory)' },
      {
        name: 'allow', value: 'DIR', repeatable: true,
        help: 'Another directory that may be read and written; repeatable',
      },
      {
        name: 'root-alias', value: 'DIR', repeatable: true,
        help: 'Absolute path that stands for the root in the text, e.g. /workspace; repeatable',
      },
      { name: 'relative-paths', help: 'Accept relative paths in SHAM blocks; they start at the root' },
      { name: 'dry-run', help: 'Validate and show diffs, but change nothing and start no command' },
      TOOLSET_FLAG,
      { name: 'timeout', value: 'SECONDS', help: 'Time limit of each command, decimals allowed (default: 120)' },
      { name: 'require-blocks', help: 'Exit with 1 when no live block is found' },
      { name: 'feedback', help: 'Print the text to hand back to the model: what failed and how to mend it' },
      JSON_FLAG,
      { name: 'report', value: 'FILE', help: 'Also write a report to FILE.json or FILE.md' },
      { name: 'no-git', help: 'Make no commit (accepted; no commits are made yet)' },
      { name: 'yes', help: 'Answer questions with yes (accepted; nothing asks yet)' },
      HELP_FLAG,
    ],
    example: {
      line: 'hermes apply answer.md --root ./project --root-alias /workspace',
      does: 'runs the blocks of answer.md in ./project',
    },
    exits: [
      [0, 'all blocks succeeded, or there were none'],
      [1, 'a block failed or did not parse, or none was found with --require-blocks'],
      [2, 'wrong usage, or the run could not be made'],
      [130, 'interrupted'],
    ],
    load: async () => (await import('./commands/apply.js')).apply,
  },
  {
    name: 'parse',
    summary: 'Show the blocks of a text without running them',
    usage: ['parse [FILE|-] [options]'],
    about: [FILE_ABOUT],
    maxPositionals: 1,
    flags: [JSON_FLAG, HELP_FLAG],
    example: { line: 'hermes parse answer.md --json', does: 'prints {blocks, errors, skipped}' },
    exits: [[0, 'every live block parsed'], [1, 'there are parse errors'], [2, 'wrong usage']],
    load: async () => (await import('./commands/parse.js')).parseCommand,
  },
  {
    name: 'tools',
    summary: 'List the verbs that blocks can call, or show one',
    usage: ['tools list [options]', 'tools show NAME [options]'],
    about: ['A verb is what a block names as its action.'],
    maxPositionals: 2,
    flags: [
      { name: 'category', value: 'NAME', help: 'list: only verbs of this category' },
      { ...TOOLSET_FLAG, help: `list: ${TOOLSET_FLAG.help.replace('Only', 'only')}` },
      { name: 'format', value: 'FORMAT', help: 'yaml: as unified-design.yaml has them' },
      JSON_FLAG,
      HELP_FLAG,
    ],
    example: { line: 'hermes tools show file_replace_text', does: 'prints its parameters and an example block' },
    exits: [[0, 'done'], [2, 'wrong usage, or no such verb']],
    load: async () => (await import('./commands/tools.js')).tools,
  },
]

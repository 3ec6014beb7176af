import { PROMPT_DIALECTS } from '../../../../0-contracts/src/index.js'
import type { CommandSpec } from '../../command.js'
import { JSON_FLAG, ROOT_FLAG, TOOLSET_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'prompt',
  summary: 'Print the instructions that make a model write blocks well',
  about: `
  For a system prompt: the format, the rules, what blocks can call, and examples. By default it tells of what work
  on a project needs (reading, writing, replacing, moving, deleting, searching, running), by the verbs that go with
  the format, in few words. --toolset tells of others, with all their rules: clada, hermes or core of all that go
  with sham, envelope or tool_call. What hermes.yaml and ~/.hermes/config.yaml switch off is left out. How many
  tokens it takes is estimated, on standard error.
  `,
  flags: [
    {
      name: 'format', value: 'FORMAT', choices: ['sham', 'envelope', 'tool_call'],
      help: 'How blocks are written: sham (default), envelope or tool_call',
    },
    {
      name: 'dialect', value: 'NAME', choices: PROMPT_DIALECTS,
      help: 'Calls as a model was trained to write them, or as a harness reads them, in place of a format; '
        + 'hermes apply --dialect takes the same name',
    },
    { ...TOOLSET_FLAG, help: TOOLSET_FLAG.help.replace('By', 'Of this') },
    ROOT_FLAG,
    { name: 'root-alias', value: 'DIR', help: 'Absolute path that stands for the root in the text, '
      + 'e.g. /workspace' },
    { name: 'relative-paths', help: 'Allow relative paths in SHAM blocks; hermes apply needs the same flag' },
    { name: 'short', help: 'A line for each verb: without the descriptions of parameters and without rules' },
    { name: 'sizes', help: 'Show how large its parts are, in place of the text' },
    JSON_FLAG,
  ],
  example: {
    line: 'hermes prompt --root-alias /workspace > system.md',
    does: 'writes the prompt for SHAM blocks to system.md',
  },
  exits: [[0, 'done'], [2, 'wrong usage, or a policy file cannot be read']],
  load: async () => (await import('./run.js')).promptCommand,
}

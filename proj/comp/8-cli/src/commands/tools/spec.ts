import type { CommandSpec } from '../../command.js'
import { JSON_FLAG, TOOLSET_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'tools',
  summary: 'List the verbs that blocks can call, show one, or check arguments against its schema',
  usage: [
    'tools list [options]', 'tools show NAME [options]', 'tools validate NAME [options]', 'tools doctor [options]',
  ],
  about: `
  A verb is what a block names as its action. validate reads arguments for it, JSON or YAML, from standard input
  and says whether they fit its schema; nothing is run. Rules that no schema states (show lists them), and what
  is on the disk, are judged by a run only. Results are named as in the JSON Schema; idl shows them as hermes exec
  prints them, with camelCase names. doctor says of each toolset whether it can be used here, and if not, why and what
  to do.
  `,
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
  ],
  example: { line: 'hermes tools show file_replace_text', does: 'prints its parameters and an example block' },
  exits: [
    [0, 'done; the arguments are valid'], [1, 'the arguments are not valid; doctor: a toolset cannot be used'],
    [2, 'wrong usage, or no such verb'],
  ],
  load: async () => (await import('./run.js')).tools,
}

import type { CommandSpec } from '../../command.js'
import {
  CHECKS_FLAG, DURABLE_FLAG, EXTENSION_FLAGS, FORMAT_FLAGS, HTTP_FLAGS, MATCH_FLAG, NO_GIT_FLAG, PLACE_FLAGS,
  SANDBOX_FLAGS, TIMEOUT_FLAG, TOOLSET_FLAG, WAIT_FLAG, YES_FLAG,
} from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'mcp',
  summary: 'Offer the verbs as tools to clients of the Model Context Protocol',
  usage: ['mcp [options]', 'mcp --http 127.0.0.1:PORT [options]'],
  about: `
  Serves one client on standard input and output, or this machine by streamable HTTP; hermes help mcp has settings for
  common clients. Each call is one run: it is committed in a git work tree, and hermes undo takes it back. Policy files
  and these options bind every call; the client's roots can only narrow them. What needs an approval is asked by
  elicitation; where the client has none it is refused. HERMES_MCP_TOKEN sets the token of --http.
  `,
  flags: [
    ...HTTP_FLAGS,
    ...PLACE_FLAGS,
    { name: 'relative-paths', help: 'Accept relative paths where a verb wants absolute ones; they start at the root' },
    {
      ...TOOLSET_FLAG,
      help: TOOLSET_FLAG.help.replace('By', 'Offer and allow, in place of the core tools, those of this'),
    },
    ...FORMAT_FLAGS, MATCH_FLAG, CHECKS_FLAG, ...SANDBOX_FLAGS, TIMEOUT_FLAG, NO_GIT_FLAG, WAIT_FLAG, DURABLE_FLAG,
    ...EXTENSION_FLAGS,
    YES_FLAG,
  ],
  example: {
    line: 'hermes mcp --root ./project',
    does: 'offers the core tools, and apply_response, for ./project',
  },
  exits: [[0, 'the client left'], [2, 'wrong usage, or it could not listen'], [130, 'interrupted']],
  load: async () => (await import('./run.js')).mcp,
}

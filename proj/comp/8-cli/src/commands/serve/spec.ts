import type { CommandSpec } from '../../command.js'
import {
  CHECKS_FLAG, DURABLE_FLAG, HTTP_FLAGS, MAPPING_FLAG, NO_GIT_FLAG, PLACE_FLAGS, RELATIVE_FLAG, SANDBOX_FLAGS,
  TIMEOUT_FLAG, TOOLSET_FLAG, WAIT_FLAG,
} from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'serve',
  summary: 'Serve editors, agents and other programs by JSON-RPC',
  usage: [
    'serve [options]', 'serve --pipe PATH [options]', 'serve --http 127.0.0.1:PORT [options]', 'serve --openrpc',
  ],
  about: `
  Speaks JSON-RPC 2.0 with Content-Length framing on standard input and output, on a socket, or by HTTP; hermes help
  server has the methods. Policy files and these options bind every client: what one asks for can only narrow them. On a
  socket and by HTTP clients work in the root and the --allow directories; on standard input the root is theirs to
  choose, unless --root is given.
  `,
  flags: [
    { name: 'pipe', value: 'PATH', help: 'Listen at a Unix socket that only you can use (Windows: a named pipe)' },
    ...HTTP_FLAGS,
    { name: 'openrpc', help: 'Print the OpenRPC document of all methods, to generate a client from, '
      + 'and serve nothing' },
    ...PLACE_FLAGS, RELATIVE_FLAG,
    TOOLSET_FLAG, MAPPING_FLAG, CHECKS_FLAG, ...SANDBOX_FLAGS, TIMEOUT_FLAG, NO_GIT_FLAG, WAIT_FLAG, DURABLE_FLAG,
  ],
  example: {
    line: 'hermes serve --http 127.0.0.1:8765 --root ./project', does: 'prints a token and serves ./project',
  },
  exits: [
    [0, 'the client asked for shutdown'], [1, 'the client left without'], [2, 'wrong usage, or it could not listen'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).serve,
}

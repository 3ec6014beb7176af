import type { CommandSpec } from '../../command.js'
import {
  CHECKS_FLAG, MATCH_FLAG, NO_GIT_FLAG, PLACE_FLAGS, SANDBOX_FLAGS, TIMEOUT_FLAG, TOOLSET_FLAG, WAIT_FLAG, YES_FLAG,
} from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'exec',
  summary: 'Run one verb: a bare YAML or JSON envelope in, its result as JSON out',
  usage: ['exec [FILE|-] [options]'],
  about: `
  FILE holds verb: and arguments:, in YAML or JSON, and nothing else; without it, or as -, standard input is read.
  The JSON printed has succeeded, errorMessage on failure, and the fields of the result. All names ignore case.
  `,
  maxPositionals: 1,
  flags: [
    ...PLACE_FLAGS,
    { name: 'relative-paths', help: 'Accept relative paths where a verb wants absolute ones; '
      + 'they start at the root' },
    { name: 'dry-run', help: 'Validate, but change nothing and start no command' },
    TOOLSET_FLAG,
    MATCH_FLAG,
    CHECKS_FLAG,
    ...SANDBOX_FLAGS,
    TIMEOUT_FLAG,
    NO_GIT_FLAG,
    WAIT_FLAG,
    YES_FLAG,
  ],
  example: {
    line: `echo '{"verb": "fs.exists", "arguments": {"path": "README.md"}}' | hermes exec`,
    does: 'prints {"succeeded": true, "exists": true}, on several lines',
  },
  exits: [[0, 'the verb succeeded'], [1, 'it failed, or did not run'], [2, 'wrong usage'], [130, 'interrupted']],
  load: async () => (await import('./run.js')).exec,
}

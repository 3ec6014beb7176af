import type { CommandSpec } from '../../command.js'
import { NO_GIT_FLAG, PLACE_FLAGS, SANDBOX_FLAGS, WAIT_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'gateway',
  summary: 'Let the agent be reached by messages: a signed webhook, Slack',
  about: `
  Starts the adapters whose keys are set (hermes setup; hermes help gateway) and works until Ctrl-C. Only users
  of gateway.<adapter>.allowed_users are heard. Each conversation or thread has a session of its own, which goes on
  after a restart. Dangerous commands are blocked with an explanation: no message can approve one. It listens on
  127.0.0.1 unless you say --host; let a tunnel or proxy with TLS reach it.
  `,
  flags: [
    { name: 'host', value: 'ADDRESS', help: 'Where to listen (default: gateway.host, else 127.0.0.1)' },
    { name: 'port', value: 'PORT', help: 'Default: gateway.port, else 8765; 0: any free one' },
    { name: 'adapter', value: 'NAME', repeatable: true, choices: ['webhook', 'slack'], help: 'Only these: webhook, '
      + 'slack (default: all that are set up)' },
    ...PLACE_FLAGS.filter(({ name }) => name !== 'root-alias'), ...SANDBOX_FLAGS, NO_GIT_FLAG, WAIT_FLAG,
  ],
  example: { line: 'hermes gateway --root ~/project', does: 'answers messages about ~/project until Ctrl-C' },
  exits: [
    [0, 'done'], [2, 'wrong usage, no adapter is set up, or another gateway works'],
    [130, 'interrupted: turns were ended or finished first'],
  ],
  load: async () => (await import('./run.js')).gateway,
}

import type { CommandSpec } from '../../command.js'
import { SANDBOX_FLAGS, TIMEOUT_FLAG, TOOLSET_FLAG, YES_FLAG } from '../../common-flags.js'
import { QUEUE_FLAG, STORE_FLAG } from '../../queue-flags.js'

export const command: CommandSpec = {
  name: 'worker',
  summary: 'Do what hermes replay --queue or hermes batch --queue put on a queue',
  usage: ['worker --queue URL [options]', 'worker --prompts --queue URL [options]'],
  about: `
  Takes transcripts from the queue until it is interrupted, and replays each in a process and a workspace of its own;
  with --prompts it takes the prompts of hermes batch, and asks a model with the key of this host. Neither gets more
  than the worker was started with: a weaker sandbox, the network, approvals or other toolsets are refused, and so
  are prompts for another server; the policy is that of the worker. Interrupted, it gives back what it is at. A
  password may stand in HERMES_QUEUE_PASSWORD; credentials of S3 in the usual AWS_ variables. See hermes help replay and
  hermes help batch.
  `,
  flags: [
    QUEUE_FLAG,
    { name: 'prompts', help: 'Take prompts, not transcripts; each costs what the model costs' },
    { name: 'base-url', value: 'URL', help: 'With --prompts: the server that is asked (default: '
      + 'base_url of your config)' },
    { name: 'concurrency', value: 'N', help: 'Transcripts or prompts at a time (default: the number of processors)' },
    STORE_FLAG,
    ...SANDBOX_FLAGS, TIMEOUT_FLAG, TOOLSET_FLAG, YES_FLAG,
  ],
  example: { line: 'hermes worker --queue redis://queue.internal:6379 --store '
    + '/mnt/shared/hermes', does: 'takes work until Ctrl-C' },
  exits: [[2, 'wrong usage, the queue cannot be reached, or the key is refused'], [130, 'interrupted']],
  load: async () => (await import('./run.js')).workerCommand,
}

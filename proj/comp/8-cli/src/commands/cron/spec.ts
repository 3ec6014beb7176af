import type { CommandSpec } from '../../command.js'
import { JSON_FLAG, NO_GIT_FLAG, PLACE_FLAGS, SANDBOX_FLAGS, WAIT_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'cron',
  summary: 'Ask the agent, or run an answer, at certain times or once',
  usage: [
    'cron add SCHEDULE PROMPT [--deliver TO] [options]', 'cron add SCHEDULE --answer FILE [options]',
    'cron list [--json]',
    'cron remove JOB', 'cron run [JOB] [--once] [options]', 'cron log [JOB] [--limit N] [--json]',
  ],
  about: `
  SCHEDULE is a cron expression: minute hour day month weekday, or @hourly, @daily, …; or for one run "in 30m",
  "at 18:00", "tomorrow 9:00", "at 2026-12-01 09:00". PROMPT goes to the agent; a FILE is run as hermes apply
  runs it. Jobs work in the directory they were added in, or --root. Nothing happens without a runner: cron run
  works until Ctrl-C, with --once it runs what is due and ends; with JOB it runs that job at once.
  Of the times that passed while no runner worked the last is made up, once. A run that is due while the one
  before goes on is skipped. Nobody is asked: what needs a yes fails, unless command_allowlist has it.
  `,
  maxPositionals: 3,
  flags: [
    { name: 'answer', value: 'FILE', help: 'add: run the blocks of this file, in place of a prompt' },
    { name: 'name', value: 'JOB', help: 'add: what the job is called (default: job-1, job-2, …)' },
    { name: 'time-zone', value: 'ZONE', help: 'add: of SCHEDULE, e.g. Europe/Berlin (default: cron.time_zone, '
      + 'else that of the system)' },
    { name: 'model', value: 'NAME', help: 'add: the model that is asked (default: the one configured when it runs)' },
    { name: 'deliver', value: 'TO', help: 'add: send the answer to a conversation of the gateway: '
      + 'webhook:CONVERSATION, slack:TEAM:CHANNEL[:THREAD] (default: it is kept, see cron log)' },
    { name: 'once', help: 'run: run what is due, and end' },
    { name: 'limit', value: 'N', help: 'log: show at most N runs (default: 20)' },
    { name: 'output', help: 'log: also what each run printed' },
    ...PLACE_FLAGS.filter(({ name }) => name !== 'root-alias'), ...SANDBOX_FLAGS, NO_GIT_FLAG, WAIT_FLAG,
    JSON_FLAG,
  ],
  example: {
    line: 'hermes cron add "30 7 * * 1-5" "Summarise what changed since yesterday in NEWS.md"',
    does: 'asks the agent each working day at 7:30',
  },
  exits: [
    [0, 'done'], [1, 'run --once, run JOB: a run failed'], [2, 'wrong usage, no such job, or another runner works'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).cron,
}

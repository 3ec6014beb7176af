import type { CommandSpec } from '../../command.js'
import {
  ATOMIC_FLAG, CHECKS_FLAG, DURABLE_FLAG, EXTENSION_FLAGS, FORMAT_FLAGS, JSON_FLAG, MATCH_FLAG, NO_GIT_FLAG,
  NO_HOOKS_FLAG, PLACE_FLAGS, RELATIVE_FLAG, SANDBOX_FLAGS, THINK_FLAG, TIMEOUT_FLAG, TOOLSET_FLAG, WAIT_FLAG,
} from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'review',
  summary: "Look at a model's answer in the browser, choose, edit, and run it there",
  usage: ['review [FILE|-] [options]'],
  about: `
  FILE is a text that holds blocks; without it, or as -, standard input is read. A page on this machine shows what each
  block would do, as a diff, before anything runs. There blocks are ticked or left out, edited, and approved; one run
  of them can be made, watched, and taken back. The address that is printed has a token: only who has it sees the page.
  Closing the page ends the review; what runs then is stopped. Policy files and these options bind the page.
  `,
  maxPositionals: 1,
  flags: [
    { name: 'port', value: 'N', help: 'Listen at this port of 127.0.0.1 (default: any free one)' },
    { name: 'no-open', help: 'Open no browser: only print the address' },
    ...PLACE_FLAGS, RELATIVE_FLAG,
    TOOLSET_FLAG, ...FORMAT_FLAGS, THINK_FLAG, MATCH_FLAG, CHECKS_FLAG, ...SANDBOX_FLAGS, TIMEOUT_FLAG,
    ...EXTENSION_FLAGS,
    { name: 'require-blocks', help: 'Exit with 1 when no live block ran' },
    ATOMIC_FLAG,
    NO_HOOKS_FLAG, NO_GIT_FLAG, WAIT_FLAG, DURABLE_FLAG,
    JSON_FLAG,
  ],
  example: { line: 'hermes review answer.md --root ./project', does: 'shows what answer.md would do in ./project' },
  exits: [
    [0, 'what ran succeeded'], [1, 'a block or a hook failed, a block did not parse, or the run was taken back'],
    [2, 'wrong usage, or it could not listen or run'], [130, 'nothing ran, or the run was stopped'],
  ],
  load: async () => (await import('./run.js')).review,
}

import type { Flag } from './arguments.js'
import type { Command } from './command.js'
import { HELP_FLAG, JSON_FLAG } from './common-flags.js'

/** @param runFlags those that say how the run is made */
export function reviewCommand(runFlags: readonly Flag[]): Command {
  return {
    name: 'review',
    summary: "Look at a model's answer in the browser, choose, edit, and run it there",
    usage: ['review [FILE|-] [options]'],
    about: [
      'FILE is a text that holds blocks; without it, or as -, standard input is read. '
        + 'A page on this machine shows what each',
      'block would do, as a diff, before anything runs. There blocks are ticked or left out, edited, '
        + 'and approved; one run',
      'of them can be made, watched, and taken back. The address that is printed has a token: '
        + 'only who has it sees the page.',
      'Closing the page ends the review; what runs then is stopped. Policy files and these options bind the page.',
    ],
    maxPositionals: 1,
    flags: [
      { name: 'port', value: 'N', help: 'Listen at this port of 127.0.0.1 (default: any free one)' },
      { name: 'no-open', help: 'Open no browser: only print the address' },
      ...runFlags,
      JSON_FLAG,
      HELP_FLAG,
    ],
    example: { line: 'hermes review answer.md --root ./project', does: 'shows what answer.md would do in ./project' },
    exits: [
      [0, 'what ran succeeded'], [1, 'a block or a hook failed, a block did not parse, or the run was taken back'],
      [2, 'wrong usage, or it could not listen or run'], [130, 'nothing ran, or the run was stopped'],
    ],
    load: async () => (await import('./commands/review.js')).review,
  }
}

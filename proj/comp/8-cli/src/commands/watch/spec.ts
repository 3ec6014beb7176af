import type { CommandSpec } from '../../command.js'
import { ATOMIC_FLAG, DURABLE_FLAG, EXTENSION_FLAGS, NO_GIT_FLAG, SITTING_FLAGS, YES_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'watch',
  summary: 'Apply each answer that comes into a file or a folder, once',
  usage: ['watch PATH [options]'],
  about: `
  PATH is a file that answers are pasted into, or a folder they are downloaded to (.md, .markdown, .txt, .text, .sham,
  .nesl; not the folders in it). A file counts when it has been left alone for a moment and no download of it is under
  way. Each answer, known by its content, runs once, also over restarts; its summary is written to NAME.hermes.md
  beside it. What is there at the beginning is left alone until it changes, unless --existing is given. While another
  run works in the root it waits. Ctrl-C ends it; a run that is under way is cancelled and committed.
  `,
  maxPositionals: 1,
  jsonLines: true,
  flags: [
    { name: 'existing', help: 'Also apply what is there at the beginning and was not applied before' },
    { name: 'once', help: 'End after the first answer; with --existing after those that are there' },
    { name: 'prepend', help: 'Write the summary into the file, above the answer, '
      + 'as a comment that is never read as one' },
    { name: 'clipboard', help: 'Put the text to hand back to the model on the clipboard after each run' },
    { name: 'quiet', value: 'SECONDS', help: 'How long a file must be left alone before it is read (default: 0.3)' },
    ...SITTING_FLAGS,
    ...EXTENSION_FLAGS,
    ATOMIC_FLAG,
    { name: 'json', help: 'Print one line of JSON for each run, and nothing else' },
    NO_GIT_FLAG,
    DURABLE_FLAG,
    YES_FLAG,
  ],
  example: {
    line: 'hermes watch ~/Downloads --root ./project --root-alias /workspace',
    does: 'runs each answer saved to ~/Downloads in ./project',
  },
  exits: [
    [0, 'with --once: all blocks succeeded, or there was nothing to apply'],
    [1, 'with --once: a block failed or did not parse'],
    [2, 'wrong usage, or it cannot watch'],
    [130, 'ended by Ctrl-C'],
  ],
  load: async () => (await import('./run.js')).watch,
}

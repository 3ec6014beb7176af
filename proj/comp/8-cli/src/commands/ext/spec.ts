import type { CommandSpec } from '../../command.js'
import { ANSWERS_FLAG, FORMAT_FLAGS, JSON_FLAG, THINK_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'ext',
  summary: 'Run, test or write a program that works on answers before they run, or list those you have',
  usage: [
    'ext run NAME [options]', 'ext run [options] -- COMMAND [ARGUMENT...]',
    'ext test [options] -- COMMAND [ARGUMENT...]',
    'ext new NAME [--lang py|ts]', 'ext list [options]', 'ext protocol',
  ],
  about: `
  An extension is a program that speaks a protocol (hermes help extensions); it runs with your rights, not in a sandbox.
  NAME is one below extensions: in ~/.hermes/config.yaml. Without --command it is started, shown and ended. With it the
  command is carried out, on the text of --message where it wants one, and the text as it then is gets printed.
  test plays hosts of all kinds to it (frames in pieces, answers in another order, refusals, wrong lengths, early ends)
  and says what it does wrong; it carries out one of its commands several times. new writes one that runs, protocol
  prints the OpenRPC document of the protocol.
  `,
  maxPositionals: Infinity,
  flags: [
    {
      name: 'command', value: 'NAME',
      help: 'run, test: the command to trigger (test: default the first that it names)',
    },
    { name: 'message', value: 'FILE', help: 'run, test: the text that it reads and changes; - for standard input' },
    { name: 'root', value: 'DIR', help: 'run, test: directory it works in (default: the working directory)' },
    ANSWERS_FLAG,
    { name: 'ext-timeout', value: 'SECONDS', help: 'run, test: time for the command, '
      + 'without that of dialogues (default: none; test: 10)' },
    { name: 'ext-quiet', value: 'SECONDS', help: 'run: silence that ends a command which tells no end '
      + '(default: as in your config, else 5)' },
    { name: 'lang', value: 'py|ts', help: 'new: the language (default: py)' },
    { name: 'log', help: 'run, test: show what it writes to standard error, as it comes' },
    ...[...FORMAT_FLAGS, THINK_FLAG].map(
      flag => ({ ...flag, help: `run: ${flag.help[0]?.toLowerCase() ?? ''}${flag.help.slice(1)}` }),
    ),
    JSON_FLAG,
  ],
  example: {
    line: 'hermes ext run --command tidy --message answer.md -- node tidy.mjs',
    does: 'prints the answer as the extension leaves it',
  },
  exits: [
    [0, 'done'], [1, 'the extension or its command failed'], [2, 'wrong usage'], [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).ext,
}

import type { CommandSpec } from '../../command.js'
import { JSON_FLAG, ROOT_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'config',
  summary: 'Show which settings count and where they come from, check and change them',
  usage: [
    'config [show|check|path] [options]', 'config get KEY [options]', 'config set KEY VALUE… [options]',
    'config edit [options]', 'config migrate [options]',
  ],
  about: `
  The settings are your ~/.hermes/config.yaml and the hermes.yaml of the root; of both the stricter counts. set and
  edit change your file, or with --project that of the root; comments in it stay, and what is not valid is not
  written. A VALUE is YAML; a list takes several. migrate brings files of older versions up to date, and shows what
  it would write before it does.
  `,
  maxPositionals: Infinity,
  flags: [
    ROOT_FLAG,
    { name: 'project', help: 'set, edit, migrate: the hermes.yaml of the root, in place of your file' },
    { name: 'unset', help: 'set: remove KEY' },
    { name: 'yes', help: 'migrate: write without asking' },
    { ...JSON_FLAG, help: `show, check, get, path: ${JSON_FLAG.help.replace('Print', 'print')}` },
  ],
  example: {
    line: 'hermes config set limits.blocks 200 --project',
    does: 'lets a run in this project have 200 blocks at most',
  },
  exits: [
    [0, 'done'], [1, 'check: there are problems; edit, migrate: nothing was written'],
    [2, 'wrong usage, or a file cannot be read'], [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).config,
}

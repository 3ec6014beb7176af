import type { Command } from './command.js'
import { HELP_FLAG, JSON_FLAG } from './common-flags.js'

/** What sets the agent up, and looks after the installation. */
export const HARNESS_COMMANDS: readonly Command[] = [
  {
    name: 'setup',
    summary: 'Set the model and the keys of the agent, by questions or by flags',
    usage: ['setup', 'setup [--model NAME] [--base-url URL] [--key NAME] [options]'],
    about: [
      'At a terminal it asks; keys are typed unseen. Keys go to ~/.hermes/.env, which only you can read, the rest to',
      '~/.hermes/config.yaml. With flags it asks nothing but the value of --key, at a terminal; else that is read from',
      'standard input. HERMES_HOME names another directory in place of ~/.hermes.',
    ],
    maxPositionals: 0,
    flags: [
      { name: 'model', value: 'NAME', help: 'The model, as the server calls it' },
      { name: 'base-url', value: 'URL', help: 'Address of a server that speaks the OpenAI format' },
      { name: 'key', value: 'NAME', help: 'Set this variable of .env, e.g. OPENROUTER_API_KEY, '
        + 'to what is typed or standard input holds' },
      { name: 'unset', value: 'NAME', repeatable: true, help: 'Remove this variable from .env' },
      { name: 'verify', help: 'Ask the server, in one request, whether the key works' },
      JSON_FLAG, HELP_FLAG,
    ],
    example: { line: 'hermes setup --model gpt-5 --key OPENAI_API_KEY < key.txt', does: 'sets both, and asks nothing' },
    exits: [
      [0, 'done'], [1, 'the key does not work, or that could not be found out'],
      [2, 'wrong usage, or a file cannot be read'], [130, 'interrupted: nothing was written'],
    ],
    load: async () => (await import('./commands/setup.js')).setup,
  },
  {
    name: 'status',
    summary: 'Show what the agent would work with: model, server, key, toolsets, jobs, gateway',
    usage: ['status [options]'],
    about: ['Each with the flag, variable or line that says so. Of keys it tells only whether they are set.'],
    maxPositionals: 0,
    flags: [JSON_FLAG, HELP_FLAG],
    example: { line: 'hermes status', does: 'shows the model, and where it is configured' },
    exits: [[0, 'done'], [2, 'wrong usage, or a file cannot be read']],
    load: async () => (await import('./commands/status.js')).status,
  },
  {
    name: 'version',
    summary: 'Show the version of hermes, where it is, and how it was installed',
    usage: ['version [options]'],
    about: ['hermes --version prints the version alone.'],
    maxPositionals: 0,
    flags: [JSON_FLAG, HELP_FLAG],
    example: { line: 'hermes version', does: 'prints the versions of hermes and Node.js' },
    exits: [[0, 'done'], [2, 'wrong usage']],
    load: async () => (await import('./commands/version.js')).version,
  },
  {
    name: 'update',
    summary: 'Bring this hermes up to date from where it came, or say how that is done',
    usage: ['update [--check|--yes] [options]'],
    about: [
      'Shows the commands for the way it was installed: as a git clone, as a dependency of a project, as a global',
      'package, or by npx. At a terminal it asks once and runs them for a clone (it is pulled and built; where changes',
      'of yours are in it nothing is touched) and for a dependency whose origin was recorded; then hermes config '
        + 'migrate',
      'asks. With nobody to ask, and without --yes, it only prints them.',
    ],
    maxPositionals: 0,
    flags: [
      { name: 'check', help: 'Only print what would be done' },
      { name: 'yes', help: 'Do it, and migrate the settings, without asking' }, JSON_FLAG, HELP_FLAG,
    ],
    example: { line: 'hermes update --check', does: 'prints the commands, and changes nothing' },
    exits: [
      [0, 'done, or printed'], [1, 'it is to be done, and cannot: the message says why'], [2, 'wrong usage'],
      [130, 'interrupted'],
    ],
    load: async () => (await import('./commands/update.js')).update,
  },
  {
    name: 'uninstall',
    summary: 'Keep or remove your files, and say how hermes itself is removed',
    usage: ['uninstall [--keep-data|--remove-data] [options]'],
    about: [
      'Lists what hermes made in ~/.hermes, asks, and removes just that; of a link the link alone. '
        + 'What else is there stays,',
      'and so do the .hermes directories of projects. The program it leaves where it is, and says what removes it.',
    ],
    maxPositionals: 0,
    flags: [
      { name: 'keep-data', help: 'Keep your files, without asking' },
      { name: 'remove-data', help: 'Remove them, without asking' }, JSON_FLAG, HELP_FLAG,
    ],
    example: { line: 'hermes uninstall --keep-data', does: 'removes nothing, and says how to remove the program' },
    exits: [
      [0, 'done'], [2, 'wrong usage, nobody to ask, ~/.hermes is a link, or cron run or gateway works'],
      [130, 'interrupted'],
    ],
    load: async () => (await import('./commands/uninstall.js')).uninstall,
  },
]

import type { CommandSpec } from '../../command.js'

export const command: CommandSpec = {
  name: 'help',
  summary: 'Explain a command, a topic, or the code of a failure',
  usage: ['help [COMMAND|TOPIC|CODE] [options]'],
  about: 'Without a name it lists commands and topics. Of a topic it prints the whole page.',
  maxPositionals: 1,
  flags: [
    { name: 'man', help: 'Print the manual page, as man shows it: hermes help --man | man -l -' },
    { name: 'markdown', help: 'Print the reference of all commands as Markdown' },
  ],
  example: { line: 'hermes help TEXT_NOT_FOUND', does: 'says why it happens and what to write instead' },
  exits: [[0, 'done'], [2, 'nothing is known of that name']],
  load: async () => (await import('./run.js')).help,
}

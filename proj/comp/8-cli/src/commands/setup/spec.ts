import type { CommandSpec } from '../../command.js'
import { JSON_FLAG } from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'setup',
  summary: 'Set the model and the keys of the agent, by questions or by flags',
  usage: ['setup', 'setup [--model NAME] [--base-url URL] [--key NAME] [options]'],
  about: `
  At a terminal it asks; keys are typed unseen. Keys go to ~/.hermes/.env, which only you can read, the rest to
  ~/.hermes/config.yaml. With flags it asks nothing but the value of --key, at a terminal; else that is read from
  standard input. HERMES_HOME names another directory in place of ~/.hermes.
  `,
  flags: [
    { name: 'model', value: 'NAME', help: 'The model, as the server calls it' },
    { name: 'base-url', value: 'URL', help: 'Address of a server that speaks the OpenAI format' },
    { name: 'key', value: 'NAME', help: 'Set this variable of .env, e.g. OPENROUTER_API_KEY, '
      + 'to what is typed or standard input holds' },
    { name: 'unset', value: 'NAME', repeatable: true, help: 'Remove this variable from .env' },
    { name: 'verify', help: 'Ask the server, in one request, whether the key works' },
    JSON_FLAG,
  ],
  example: { line: 'hermes setup --model gpt-5 --key OPENAI_API_KEY < key.txt', does: 'sets both, and asks nothing' },
  exits: [
    [0, 'done'], [1, 'the key does not work, or that could not be found out'],
    [2, 'wrong usage, or a file cannot be read'], [130, 'interrupted: nothing was written'],
  ],
  load: async () => (await import('./run.js')).setup,
}

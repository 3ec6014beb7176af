import type { Flag } from './arguments.js'
import type { Command } from './command.js'
import { HELP_FLAG } from './common-flags.js'

/** What the agent is told besides the run flags; the flags of `hermes batch` are these too. */
export const MODEL_FLAGS: readonly Flag[] = [
  { name: 'model', value: 'NAME', help: 'The model, as the server calls it (default: model of your config, '
    + 'HERMES_MODEL)' },
  { name: 'base-url', value: 'URL', help: 'Where it is asked: an API like that of OpenAI (default: '
    + 'base_url of your config)' },
  { name: 'style', value: 'native|blocks', choices: ['native', 'blocks'], help: 'Function calling, or blocks in the '
    + 'text, run while it streams' },
  { name: 'max-turns', value: 'N', help: 'Answers of the model for one message, at most (default: 20)' },
  { name: 'personality', value: 'NAME', help: 'How it answers: concise, teacher, careful, or one of your config' },
  { name: 'disable-toolset', value: 'NAME', repeatable: true, help: 'Not the verbs of this toolset; repeatable' },
]

/** @param runFlags those that say what its calls may do */
export function chatCommand(runFlags: readonly Flag[]): Command {
  return {
    name: 'chat',
    summary: 'Talk to a model that works in the root; hermes alone does the same at a terminal',
    usage: ['chat [options]', 'chat --resume [ID] [options]', 'chat -q TEXT [options]'],
    about: [
      'The model calls verbs, each is run and shown, until it answers in words. /help in the chat lists its commands.',
      'Conversations are kept in ~/.hermes/sessions. With -q, or with a question on standard input, one question is',
      'answered: the answer goes to standard output, what is done meanwhile to standard error. hermes help',
      'chat has more.',
    ],
    maxPositionals: 1,
    jsonLines: true,
    flags: [
      { name: 'query', short: 'q', value: 'TEXT', help: 'Answer this and end; - reads it from standard input' },
      { name: 'json', help: 'With -q: print events, a JSON document a line, and nothing else' },
      { name: 'resume', help: 'Go on with the last conversation, or with the one whose ID (or its beginning) follows' },
      ...MODEL_FLAGS,
      { name: 'reasoning', help: 'Also show what the model thinks' },
      ...runFlags,
      HELP_FLAG,
    ],
    example: { line: 'hermes chat -q "Which of these files has no test?" --root ./project', does: 'prints the answer' },
    exits: [
      [0, 'answered; the user left'], [1, 'no answer: the model could not be asked, or stopped before its end'],
      [2, 'wrong usage, or no model is configured'], [130, 'interrupted'],
    ],
    load: async () => (await import('./commands/chat.js')).chat,
  }
}

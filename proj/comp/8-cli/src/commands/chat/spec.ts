import type { CommandSpec } from '../../command.js'
import {
  EXTENSION_FLAGS, MAPPING_FLAG, MODEL_FLAGS, NO_GIT_FLAG, PLACE_FLAGS, SANDBOX_FLAGS, TOOLSET_FLAG, WAIT_FLAG,
  YES_FLAG,
} from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'chat',
  summary: 'Talk to a model that works in the root; so does hermes alone, once a model is set up',
  usage: ['chat [TEXT] [options]', 'chat --resume [ID] [options]', 'chat -q TEXT [options]'],
  about: `
  The model calls verbs, each is run and shown, until it answers in words. /help in the chat lists its commands.
  Conversations are kept in ~/.hermes/sessions; nothing is committed until /commit. With -q, or with a question on
  standard input, one question is answered: the answer goes to standard output, what is done meanwhile to standard
  error. A pipe or a file on standard input joins the question. hermes help chat has more.
  `,
  maxPositionals: 1,
  jsonLines: true,
  flags: [
    { name: 'query', short: 'q', value: 'TEXT', help: 'Answer this and end; - reads it from standard input' },
    { name: 'no-stdin', help: 'Leave standard input alone: else a pipe or file there goes along with the question' },
    { name: 'json', help: 'With -q: print events, a JSON document a line, and nothing else' },
    { name: 'keep', help: 'With -q: keep the conversation, so that --resume goes on with it' },
    {
      name: 'resume',
      help: 'Go on with the last conversation of this root, or with the one whose ID (or its beginning) follows',
    },
    ...MODEL_FLAGS,
    { name: 'reasoning', help: 'Also show what the model thinks' },
    ...PLACE_FLAGS.filter(({ name }) => name !== 'root-alias'),
    { ...TOOLSET_FLAG, help: TOOLSET_FLAG.help.replace('By', 'Only the verbs of this') },
    ...EXTENSION_FLAGS,
    MAPPING_FLAG, ...SANDBOX_FLAGS, NO_GIT_FLAG, WAIT_FLAG, YES_FLAG,
  ],
  example: { line: 'hermes chat -q "Which of these files has no test?" --root ./project', does: 'prints the answer' },
  exits: [
    [0, 'answered; the user left'], [1, 'no answer: the model could not be asked, or stopped before its end'],
    [2, 'wrong usage, or no model is configured'], [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).chat,
}

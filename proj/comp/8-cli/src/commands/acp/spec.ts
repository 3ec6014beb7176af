import type { CommandSpec } from '../../command.js'
import {
  EXTENSION_FLAGS, MAPPING_FLAG, MODEL_FLAGS, NO_GIT_FLAG, SANDBOX_FLAGS, TOOLSET_FLAG, WAIT_FLAG, YES_FLAG,
} from '../../common-flags.js'

export const command: CommandSpec = {
  name: 'acp',
  summary: 'Be the agent of an editor that speaks the Agent Client Protocol',
  about: `
  Serves one editor (Zed, JetBrains, Neovim, …) on standard input and output; hermes help acp has their settings.
  Each session works in the directory that the editor names, is kept in ~/.hermes/sessions, and goes on where it
  ended, also as hermes chat --resume. What needs an approval is asked in the editor.
  `,
  flags: [
    ...MODEL_FLAGS, { ...TOOLSET_FLAG, help: TOOLSET_FLAG.help.replace('By', 'Only the verbs of this') },
    ...EXTENSION_FLAGS, MAPPING_FLAG, ...SANDBOX_FLAGS, NO_GIT_FLAG, WAIT_FLAG, YES_FLAG,
  ],
  example: { line: 'hermes acp --model MODEL', does: 'waits for an editor; its settings start it so' },
  exits: [
    [0, 'the editor left'], [1, 'the editor sent a message that is too long'], [2, 'wrong usage'],
    [130, 'interrupted'],
  ],
  load: async () => (await import('./run.js')).acp,
}

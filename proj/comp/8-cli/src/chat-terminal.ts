import { join } from 'node:path'
import { answerOfYes } from '../../0-contracts/src/index.js'
import { Agent, type AgentOptions, type SessionStore } from '../../6-agent/src/index.js'
import { Chat } from '../../7-console/src/index.js'
import { discardTyped, HistoryFile, TerminalUi } from '../../2-terminal/src/index.js'
import { createPalette, loadLineDiff } from '../../1-reports/src/index.js'
import { createMasker } from '../../0-text/src/index.js'
import { withServer, type AgentSetup } from './setup/agent-setup.js'
import type { Arguments } from './arguments.js'
import type { ChatSession } from './chat-query.js'
import type { Program } from './command.js'
import { duringDialogue } from './io/interrupt.js'
import { isPlain, printError, SIGNS, wantsColour } from './io/output.js'
import { conversationSetup } from './setup/conversation-setup.js'

/** A conversation, and the user's first message if the command line gives it. */
export interface OpenedChat extends ChatSession {
  sessions: SessionStore
  opening: string | undefined
}

/** Runs the conversation at the terminal. @returns the exit code */
export async function chatAtTerminal(
  args: Arguments, setup: AgentSetup, { taskId, sessions, isResumed, opening }: OpenedChat,
  { version }: Program,
): Promise<number> {
  const { settings, options } = setup
  for (const warning of settings.warnings) printError(`${warning}\n`)
  const masker = createMasker(process.env, { shapes: true })
  const user = new TerminalUi(
    {
      input: process.stdin, output: process.stdout as NodeJS.WriteStream, discardTyped,
      isPlain: isPlain(),
    },
    'this conversation',
  )
  const consent: Pick<AgentOptions, 'approve' | 'ui' | 'goOn'> = {
    goOn: (turns, signal) => chat.aside(() => user.goOn(turns, signal)),
    approve: (request) => (args.has('yes') ? answerOfYes(request) : undefined)
      ?? chat.aside(() => user.approve(request, chat.signal)),
    ui: {
      ask: (question, signal) => chat.aside(() => user.ask(question, signal)),
      confirm: (request, signal) => chat.aside(() => user.confirm(request, signal)),
    },
  }
  const chat: Chat = new Chat({
    createAgent: ({ model, server, personality }) => new Agent({
      ...withServer(options, server), ...consent, confirmCommits: true, model, sessions,
      ...(personality !== undefined && { systemPrompt: personality }),
    }),
    ...conversationSetup(args, setup, version()), taskId, isResumed, opening, sessions,
    history: new HistoryFile({
      file: join(settings.home, 'chat_history'), form: 'json', mask: (line) => masker.text(line),
    }),
    input: process.stdin, output: process.stdout, isPlain: isPlain(),
    palette: createPalette(!isPlain() && wantsColour()),
    showReasoning: args.has('reasoning'),
    mask: (text) => masker.text(text),
    lineDiff: await loadLineDiff(),
    signs: !isPlain() && wantsColour() && settings.display.markdown ? SIGNS : undefined,
  })
  return duringDialogue({ interrupt: () => chat.interrupt(), leave: (code) => chat.leave(code) }, () => chat.run())
}

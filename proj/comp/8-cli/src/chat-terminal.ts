import { join, resolve } from 'node:path'
import { answerOfYes } from '../../0-contracts/src/index.js'
import { Hermes } from '../../5-executor/src/index.js'
import { Agent, newTaskId, type AgentOptions, type SessionStore } from '../../6-agent/src/index.js'
import { Chat, fileUndo, saveConversation } from '../../7-console/src/index.js'
import { discardTyped, HistoryFile, TerminalUi } from '../../2-terminal/src/index.js'
import { createPalette, loadLineDiff } from '../../1-reports/src/index.js'
import { createMasker } from '../../0-text/src/index.js'
import type { AgentSetup } from './setup/agent-setup.js'
import type { Arguments } from './arguments.js'
import type { ChatSession } from './chat-query.js'
import type { Program } from './command.js'
import { isPlain, printError, SIGNS, wantsColour } from './io/output.js'
import { hooksOfUser, transactionOptions } from './setup/transaction-flags.js'

const SIGNALS = { SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 } as const

/** A conversation, and what the user says first where the command says it. */
export interface OpenedChat extends ChatSession {
  sessions: SessionStore
  opening: string | undefined
}

/** The conversation at the terminal. @returns the exit code */
export async function chatAtTerminal(
  args: Arguments, { settings, options, root }: AgentSetup, { taskId, sessions, isResumed, opening }: OpenedChat,
  { version }: Program,
): Promise<number> {
  for (const warning of settings.warnings) printError(`${warning}\n`)
  const masker = createMasker(process.env, { shapes: true })
  const user = new TerminalUi(
    {
      input: process.stdin, output: process.stdout as NodeJS.WriteStream, discardTyped,
      isPlain: isPlain(),
    },
    'this conversation',
  )
  const undoable = transactionOptions(args)
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
    createAgent: ({ model, personality }) => new Agent({
      ...options, ...consent, confirmCommits: true, model, sessions,
      ...(personality !== undefined && { systemPrompt: personality }),
    }),
    model: settings.model, personality: settings.personality, personalities: settings.personalities,
    taskId, isResumed, opening, newTaskId, sessions,
    facts: { version: version(), root: resolve(root), toolsets: settings.toolsets, sandbox: options.sandbox ?? 'auto' },
    async skills() {
      const { findSkills } = await import('../../4-verb-session/src/index.js')
      return (await findSkills({ root, home: settings.home })).skills
    },
    files: fileUndo({
      ...undoable, git: options.autoCommit === 'run' && undoable.git, waitMs: options.waitMs ?? undoable.waitMs,
      hooks: async () => hooksOfUser(args, undoable.root),
    }),
    save: async (id, line, file) => saveConversation(line, file ?? `hermes-chat-${id}.jsonl`),
    history: new HistoryFile({
      file: join(settings.home, 'chat_history'), form: 'json', mask: (line) => masker.text(line),
    }),
    input: process.stdin, output: process.stdout, isPlain: isPlain(),
    palette: createPalette(!isPlain() && wantsColour()),
    showReasoning: args.has('reasoning'),
    gate: async () => new Hermes({
      root, relativePaths: true, ...(options.allow && { allow: options.allow }),
      ...(options.policy !== undefined && { policy: options.policy }),
    }).gate(),
    mask: (text) => masker.text(text),
    lineDiff: await loadLineDiff(),
    signs: !isPlain() && wantsColour() && settings.display.markdown ? SIGNS : undefined,
  })
  const interrupt = (): void => chat.interrupt()
  const listeners = Object.entries(SIGNALS).map(([name, code]) => [name, () => chat.leave(code)] as const)
  process.on('SIGINT', interrupt)
  for (const [name, leave] of listeners) process.on(name, leave)
  try {
    return await chat.run()
  } finally {
    process.off('SIGINT', interrupt)
    for (const [name, leave] of listeners) process.off(name, leave)
  }
}

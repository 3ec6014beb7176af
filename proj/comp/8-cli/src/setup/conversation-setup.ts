import { resolve } from 'node:path'
import { fileUndo, saveConversation, type ConversationSetup } from '../../../7-console/src/index.js'
import { newTaskId } from '../../../6-agent/src/index.js'
import type { Arguments } from '../arguments.js'
import { gateOf, modelServer, type AgentSetup } from './agent-setup.js'
import { hooksOfUser, transactionOptions } from './transaction-flags.js'
import { asTyped } from '../io/output.js'

/** What a conversation has of the flags and of the user's settings, wherever it is shown. */
export function conversationSetup(args: Arguments, { settings, options, root }: AgentSetup, version: string) {
  const undoable = transactionOptions(args, { root, allow: options.allow ?? [] })
  return {
    model: settings.model, server: (api) => modelServer(args, api, settings), gate: () => gateOf({ root, options }),
    typed: asTyped,
    personality: settings.personality, personalities: settings.personalities, newTaskId,
    facts: { version, root: resolve(root), toolsets: settings.toolsets, sandbox: options.sandbox ?? 'auto' },
    async skills() {
      const { findSkills } = await import('../../../4-verb-session/src/index.js')
      return (await findSkills({ root, home: settings.home })).skills
    },
    files: fileUndo({
      ...undoable, git: options.autoCommit === 'run' && undoable.git, waitMs: options.waitMs ?? undoable.waitMs,
      hooks: async () => hooksOfUser(args, undoable.root),
    }),
    save: async (id, line, file) => saveConversation(line, file ?? `hermes-chat-${id}.jsonl`),
  } satisfies Partial<ConversationSetup>
}

import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, newTaskId, openSessionStore, pruneSessions } from '../../../../6-agent/src/index.js'
import { serveAcp, type OpenedPlace, type SessionPlace } from '../../../../7-acp/src/index.js'
import { createMasker } from '../../../../0-text/src/index.js'
import { agentSetup, tellNotes, withServer } from '../../setup/agent-setup.js'
import { conversationScheduler, isCronUsed } from '../../setup/conversation-scheduler-setup.js'
import { conversationSetup } from '../../setup/conversation-setup.js'
import type { Arguments } from '../../arguments.js'
import type { Program } from '../../command.js'
import { interruptible } from '../../io/interrupt.js'
import { EXIT, isTerminal, printError } from '../../io/output.js'

/** How long to wait for an editor that disconnects to read the rest, in milliseconds. */
const PATIENCE_MS = 1000

/** `hermes acp`. Messages for people go to standard error, since standard output is the connection. */
export async function acp(args: Arguments, { version }: Program): Promise<number> {
  // Wrong flags must fail before an editor waits; the model is chosen for each session.
  const first = await agentSetup(args, '')
  tellNotes(first)
  const sessions = openSessionStore()
  await pruneSessions(sessions, first.settings.sessions.keepDays)
  if (isTerminal('stdin')) {
    printError('hermes: speaks the Agent Client Protocol on standard input and output; hermes help acp tells how '
      + 'editors start it\n')
  }
  const openPlace = async ({ root, allow }: SessionPlace): Promise<OpenedPlace> => {
    const given = await agentSetup(args)
    const { allow: flagged = [], saveTrajectories } = given.options
    const options = {
      ...given.options, root, allow: [...flagged, ...allow],
      // The directory in which an editor starts its agents is not the user's choice.
      ...(saveTrajectories === true && { saveTrajectories: join(root, 'trajectories') }),
    }
    const setup = { ...given, root, options }
    if (isCronUsed(setup.settings.home)) setup.options.scheduler = conversationScheduler(setup, 'chat')
    const shared = conversationSetup(args, setup, version())
    return {
      ...shared, toolsets: setup.settings.toolsets,
      masker: createMasker(process.env, { shapes: true }),
      save: async (id, line, file = `hermes-chat-${id}.jsonl`) => (
        shared.save(id, line, file.startsWith('~/') ? file : resolve(root, file))
      ),
      createAgent: ({ model, server, personality }, further) => new Agent({
        ...withServer(setup.options, server), confirmCommits: true, model, sessions,
        ...(personality !== undefined && { systemPrompt: personality }), ...further,
      }),
    }
  }
  const interrupt = interruptible()
  const setup = { version: version(), yes: args.has('yes'), sessions, newTaskId, openPlace }
  const failed = await interrupt.during(async () => serveAcp({
    setup, input: process.stdin, output: process.stdout, signal: interrupt.signal,
  }))
  if (failed) printError(`hermes: ${failed.message}\n`)
  const code = interrupt.exitCode ?? (failed ? EXIT.failed : EXIT.ok)
  // Unread output would keep the process alive for ever.
  if (!await isRead()) process.exit(code)
  return code
}

/** Whether the written output was read, by an editor that is still connected. */
async function isRead(): Promise<boolean> {
  const written = new Promise<true>((done) => { process.stdout.write('', () => done(true)) })
  const patience = new AbortController()
  const late = sleep(PATIENCE_MS, false, { signal: patience.signal }).catch(() => false)
  const answer = await Promise.race([written, late])
  patience.abort()
  return answer
}

import { resolve } from 'node:path'
import { newTaskId, openSessionStore, pruneSessions } from '../../../../6-agent/src/index.js'
import { keptSession } from '../../../../7-console/src/index.js'
import { conversationScheduler, isCronUsed } from '../../setup/conversation-scheduler-setup.js'
import { agentSetup, tellNotes } from '../../setup/agent-setup.js'
import { usageError, type Arguments } from '../../arguments.js'
import { answerQuery, type Query } from '../../chat-query.js'
import type { Program } from '../../command.js'
import { isUnattended } from '../../io/consent-options.js'
import { isTerminal } from '../../io/output.js'
import { isStdinGiven, readQuestionInput } from '../../io/question-input.js'

/** `hermes chat`: a conversation at the terminal, or one question. */
export async function chat(args: Arguments, program: Program): Promise<number> {
  const [given] = args.positionals
  const said = args.has('resume') ? undefined : given
  if (said !== undefined && args.has('query')) {
    throw usageError(`Unexpected argument: ${said}`, 'The question stands behind -q already; an ID goes with --resume.')
  }
  const query = await queryOf(args, said)
  if (args.has('json') && query === undefined) {
    throw usageError(
      '--json goes with one question', 'Write it: hermes chat --json -q "…", or give it on standard input.',
    )
  }
  const setup = await agentSetup(args)
  if (isCronUsed(setup.settings.home)) setup.options.scheduler = conversationScheduler(setup, 'chat')
  tellNotes(setup)
  const sessions = openSessionStore()
  await pruneSessions(sessions, setup.settings.sessions.keepDays)
  const isResumed = args.has('resume')
  const taskId = isResumed ? await keptSession(sessions, resolve(setup.root), given) : newTaskId()
  const isKept = query === undefined || isResumed || args.has('keep') || setup.settings.sessions.keepQueries
  const session = { taskId, sessions: isKept ? sessions : false as const, isResumed }
  if (query !== undefined) return answerQuery(args, query, setup, session)
  const opened = { ...session, sessions, opening: said }
  return (await import('../../chat-terminal.js')).chatAtTerminal(args, setup, opened, program)
}

/**
 * The question, and its text from standard input; `undefined` for a conversation.
 *
 * @param said without `-q`: the first message of a conversation, or the question where there is no terminal
 * @throws HermesError `INVALID_OPTION`
 */
async function queryOf(args: Arguments, said: string | undefined): Promise<Query | undefined> {
  const written = args.value('query') ?? said
  const isAsked = written !== undefined && written !== '-'
  if (!args.has('query') && isTerminal('stdin') && isTerminal('stdout') && !isUnattended()) return undefined
  const reads = !args.has('no-stdin') && (isAsked ? isStdinGiven() : written === '-' || !isTerminal('stdin'))
  const read = reads ? await readQuestionInput() : ''
  const hasText = read.trim() !== ''
  if (isAsked) return { text: hasText ? `${written}\n\n${read}` : written, said: written, usesStdin: reads }
  // A question from a pipe may be anybody's text: file names in it are not read.
  if (hasText) return { text: read.trim(), said: '', usesStdin: true }
  throw usageError(
    'There is nothing to ask', 'Write -q "…", give the question on standard input, or start it at a terminal.',
  )
}

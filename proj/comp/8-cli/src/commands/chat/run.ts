import { newTaskId, openSessionStore } from '../../../../6-agent/src/index.js'
import { keptSession } from '../../../../7-console/src/index.js'
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
  if (given !== undefined && !args.has('resume')) {
    throw usageError(`Unexpected argument: ${given}`, 'One question is asked with -q "…"; an ID goes with --resume.')
  }
  const query = await queryOf(args)
  if (args.has('json') && query === undefined) {
    throw usageError(
      '--json goes with one question', 'Write it: hermes chat --json -q "…", or give it on standard input.',
    )
  }
  const setup = await agentSetup(args)
  tellNotes(setup)
  const sessions = openSessionStore()
  const taskId = args.has('resume') ? await keptSession(sessions, given) : newTaskId()
  const session = { taskId, sessions, isResumed: args.has('resume') }
  if (query !== undefined) return answerQuery(args, query, setup, session)
  if (process.env['TERM'] === 'dumb') {
    throw usageError('This terminal cannot show a chat (TERM=dumb)', 'Ask one question: hermes chat -q "…".')
  }
  return (await import('../../chat-terminal.js')).chatAtTerminal(args, setup, session, program)
}

/** The one question, and what standard input gives to it; `undefined` for a conversation. @throws HermesError */
async function queryOf(args: Arguments): Promise<Query | undefined> {
  const written = args.value('query')
  const isAsked = written !== undefined && written !== '-'
  if (written === undefined && isTerminal('stdin') && isTerminal('stdout') && !isUnattended()) return undefined
  const reads = !args.has('no-stdin') && (isAsked ? isStdinGiven() : written === '-' || !isTerminal('stdin'))
  const read = reads ? await readQuestionInput() : ''
  const hasText = read.trim() !== ''
  if (isAsked) return { text: hasText ? `${written}\n\n${read}` : written, usesStdin: reads }
  if (hasText) return { text: read.trim(), usesStdin: true }
  throw usageError(
    'There is nothing to ask', 'Write -q "…", give the question on standard input, or start it at a terminal.',
  )
}

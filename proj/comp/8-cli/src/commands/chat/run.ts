import { newTaskId, openSessionStore } from '../../../../6-agent/src/index.js'
import { keptSession } from '../../../../7-console/src/index.js'
import { agentSetup, tellNotes } from '../../setup/agent-setup.js'
import { usageError, type Arguments } from '../../arguments.js'
import { answerQuery } from '../../chat-query.js'
import type { Program } from '../../command.js'
import { isUnattended } from '../../io/consent-options.js'
import { isTerminal } from '../../io/output.js'

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

/** The one question; `undefined` for a conversation. @throws HermesError `INVALID_OPTION` */
async function queryOf(args: Arguments): Promise<string | undefined> {
  const written = args.value('query')
  if (written !== undefined && written !== '-') return written
  if (written === undefined && isTerminal('stdin') && isTerminal('stdout') && !isUnattended()) return undefined
  const { text } = await import('node:stream/consumers')
  const read = isTerminal('stdin') && written === undefined ? '' : (await text(process.stdin)).trim()
  if (read !== '') return read
  throw usageError(
    'There is nothing to ask', 'Write -q "…", give the question on standard input, or start it at a terminal.',
  )
}

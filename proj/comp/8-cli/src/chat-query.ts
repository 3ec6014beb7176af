import { Agent, type SessionStore } from '../../6-agent/src/index.js'
import { answerOnce, exitCodeOf } from '../../7-console/src/index.js'
import { createPalette } from '../../1-reports/src/index.js'
import type { AgentSetup } from './setup/agent-setup.js'
import type { Arguments } from './arguments.js'
import { consentOptions } from './io/consent-options.js'
import { EXIT } from './exit-codes.js'
import { interruptible } from './io/interrupt.js'
import { isTerminal, printError, printRaw, wantsColour } from './io/output.js'
import { isRefusal, refuse } from './io/refusals.js'

/** The conversation that a question belongs to. */
export interface ChatSession {
  taskId: string
  /** `false`: it is not kept. */
  sessions: SessionStore | false
  isResumed: boolean
}

export interface Query {
  text: string
  /** It came by standard input, in part at least. */
  usesStdin: boolean
}

/** One question: the answer on standard output, what is done on standard error. @returns the exit code */
export async function answerQuery(
  args: Arguments, { text, usesStdin }: Query, { options, root, settings }: AgentSetup,
  { taskId, sessions }: ChatSession,
): Promise<number> {
  const interrupt = interruptible()
  const asJson = args.has('json')
  const agent = new Agent({
    ...options, sessions, ...consentOptions({ yes: args.has('yes'), usesStdin, signal: interrupt.signal }),
  })
  const isLive = isTerminal('stdout')
  return interrupt.during(async () => {
    try {
      const reason = await answerOnce(agent.run(text, { taskId, signal: interrupt.signal }), {
        as: asJson ? 'json' : 'text', session: { id: taskId, model: settings.model }, isLive, print: printRaw,
        tell: asJson ? () => undefined : printError, palette: createPalette(wantsColour() && isTerminal('stderr')),
        columns: isTerminal('stderr') ? process.stderr.columns || 80 : 120, roots: [root],
        showReasoning: args.has('reasoning'),
      })
      return interrupt.exitCode ?? exitCodeOf(reason)
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (!asJson) refuse(error, false)
      return interrupt.exitCode ?? EXIT.failed
    } finally {
      await agent[Symbol.asyncDispose]()
    }
  })
}

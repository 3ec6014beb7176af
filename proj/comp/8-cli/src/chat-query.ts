import { Agent, namedImages, namesImages, type ImageInput, type SessionStore } from '../../6-agent/src/index.js'
import { answerOnce, exitCodeOf } from '../../7-console/src/index.js'
import { escapeControls } from '../../0-text/src/index.js'
import { createPalette } from '../../1-reports/src/index.js'
import { gateOf, type AgentSetup } from './setup/agent-setup.js'
import type { Arguments } from './arguments.js'
import { consentOptions } from './io/consent-options.js'
import { interruptible } from './io/interrupt.js'
import { EXIT, isTerminal, printError, printRaw, wantsColour } from './io/output.js'
import { isRefusal, refuse } from './io/refusals.js'

/** The conversation that a question belongs to. */
export interface ChatSession {
  taskId: string
  /** `false`: the conversation is not stored. */
  sessions: SessionStore | false
  isResumed: boolean
}

export interface Query {
  text: string
  /** The part that the user typed as the question: files that it names with `@` are shown to the model. */
  said: string
  /** Whether it came from standard input, at least in part. */
  usesStdin: boolean
}

/** Answers one question: the answer goes to standard output, the progress to standard error. @returns the exit code */
export async function answerQuery(
  args: Arguments, { text, said, usesStdin }: Query, setup: AgentSetup, { taskId, sessions }: ChatSession,
): Promise<number> {
  const { options, root, settings } = setup
  const interrupt = interruptible()
  const asJson = args.has('json')
  const agent = new Agent({
    ...options, sessions, ...consentOptions({ yes: args.has('yes'), usesStdin, signal: interrupt.signal }),
  })
  const isLive = isTerminal('stdout')
  return interrupt.during(async () => {
    try {
      const images = await imagesOf(said, agent, taskId, setup)
      const reason = await answerOnce(agent.run(text, { taskId, signal: interrupt.signal, images }), {
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

/** The images that the question names; none where the model works on another host, whose files they would be. */
async function imagesOf(
  said: string, agent: Agent, taskId: string, setup: AgentSetup,
): Promise<readonly ImageInput[]> {
  if (!namesImages(said) || (await agent.workPlace(taskId)).host !== undefined) return []
  const { images, missing } = namedImages(said, await gateOf(setup))
  for (const name of missing) printError(`hermes: there is no ${escapeControls(name)}: the model gets the name alone\n`)
  return images
}

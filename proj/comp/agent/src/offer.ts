import { chatTools } from '../../adapters/src/index.js'
import type { AnyVerb } from '../../contracts/src/index.js'
import type { Hermes } from '../../executor/src/index.js'
import { estimateTokens, selectPromptVerbs, writePrompt } from '../../prompt/src/index.js'
import type { OpenAiTool } from '../../registry/src/index.js'
import type { AgentOptions } from './options.js'

/** What the model is offered: made once a task, so that servers can keep what they read of it. */
export interface Offer {
  /** `''` for none. */
  system: string
  tools: readonly OpenAiTool[]
  toolTokens: number
  verbs: readonly AnyVerb[]
}

const AT_WORK = 'Work with the tools until the task is done, then answer in text. Relative paths start at the project'

/** @param toolsets of which the model is told; `undefined`: all there is. @throws HermesError `INVALID_OPTION` */
export async function makeOffer(
  hermes: Hermes, options: AgentOptions, root: string, toolsets: readonly string[] | undefined,
): Promise<Offer> {
  const { systemPrompt, style = 'native', blocksFormat = 'sham' } = options
  if (style === 'native') {
    const tools = await chatTools(hermes, { toolsets })
    const system = joined(systemPrompt, `${AT_WORK}, ${root}.`)
    return { system, tools, toolTokens: estimateTokens(JSON.stringify(tools)), verbs: await hermes.verbs() }
  }
  const verbs = selectPromptVerbs(await hermes.verbs(), blocksFormat, toolsets ?? [])
  const { text } = writePrompt({ format: blocksFormat, verbs, root, relativePaths: true })
  return { system: joined(systemPrompt, text), tools: [], toolTokens: 0, verbs }
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

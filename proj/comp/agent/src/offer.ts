import { chatTools } from '../../adapters/src/index.js'
import type { AnyVerb } from '../../contracts/src/index.js'
import type { Hermes } from '../../executor/src/index.js'
import { estimateTokens, selectPromptVerbs, writePrompt } from '../../prompt/src/index.js'
import { selectToolsets, VerbRegistry, type OpenAiTool } from '../../registry/src/index.js'
import { VERBS } from '../../verbs/src/index.js'
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

/** The verbs without those of disabled toolsets. @throws HermesError `INVALID_OPTION` for an unknown toolset */
export async function registryWithout(disabled: readonly string[]): Promise<VerbRegistry> {
  const isDisabled = selectToolsets(disabled)
  const all = await new VerbRegistry(VERBS).loadAll()
  const registry = new VerbRegistry([])
  for (const verb of all) if (!isDisabled(verb)) registry.register(verb)
  return registry
}

/** @throws HermesError `INVALID_OPTION` */
export async function makeOffer(hermes: Hermes, options: AgentOptions, root: string): Promise<Offer> {
  const { systemPrompt, style = 'native', blocksFormat = 'sham', enabledToolsets } = options
  if (style === 'native') {
    const tools = await chatTools(hermes, { toolsets: enabledToolsets })
    const system = joined(systemPrompt, `${AT_WORK}, ${root}.`)
    return { system, tools, toolTokens: estimateTokens(JSON.stringify(tools)), verbs: await hermes.verbs() }
  }
  const verbs = selectPromptVerbs(await hermes.verbs(), blocksFormat, enabledToolsets ?? [])
  const { text } = writePrompt({ format: blocksFormat, verbs, root, relativePaths: true })
  return { system: joined(systemPrompt, text), tools: [], toolTokens: 0, verbs }
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

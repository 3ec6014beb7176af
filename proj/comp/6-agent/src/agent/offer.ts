import { chatTools } from '../adapters/index.js'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import type { Hermes } from '../../../5-executor/src/index.js'
import {
  estimateTokens, selectPromptVerbs, selectToolsets, VOCABULARY_OF, writePrompt,
} from '../../../1-registry/src/index.js'
import type { OpenAiTool, PromptFormat } from '../../../1-registry/src/index.js'
import type { AgentOptions } from './loop-options.js'
import type { TaskVerbs } from './task-verbs.js'
import { workingRules } from './working-rules.js'

/** No command can commit: `.git` is read-only to them. */
const COMMIT = 'git_commit'

/** What the model is offered: made once a task, so that servers can keep what they read of it. */
export interface Offer {
  /** `''` for none. */
  system: string
  tools: readonly OpenAiTool[]
  toolTokens: number
  verbs: readonly AnyVerb[]
}

/** @throws HermesError `INVALID_OPTION` */
export async function makeOffer(
  hermes: Hermes, options: AgentOptions,
  { offered: toolsets, skills }: Pick<TaskVerbs, 'offered' | 'skills'>,
): Promise<Offer> {
  const { root } = await hermes.workPlace()
  const { systemPrompt, style = 'native', blocksFormat = 'sham', enabledToolsets } = options
  const { surroundings = true, gitCommit = true } = options
  const place = surroundings ? await hermes.surroundings({ skills }) : `Relative paths start at the project, ${root}.`
  const callable = await hermes.verbs()
  if (style === 'native') {
    // The registry has just what is offered where nobody chose (taskVerbs).
    const isAll = enabledToolsets === undefined && toolsets !== undefined
    const tools = await chatTools(hermes, isAll ? { verbs: callable.map(({ name }) => name) } : { toolsets })
    const system = joined(systemPrompt, workingRules(style), place)
    return { system, tools, toolTokens: estimateTokens(JSON.stringify(tools)), verbs: callable }
  }
  const isChosen = enabledToolsets !== undefined
  const verbs = isChosen ? selectPromptVerbs(callable, blocksFormat, enabledToolsets)
    : usualVerbs(callable, blocksFormat, toolsets ?? [], gitCommit ? [COMMIT] : [])
  const { text } = writePrompt({ format: blocksFormat, verbs, root, relativePaths: true, notes: isChosen })
  return { system: joined(systemPrompt, text, workingRules(style), place), tools: [], toolTokens: 0, verbs }
}

/** What work on a project needs, what is named, and of what is offered besides the vocabulary of the format, all. */
function usualVerbs(
  callable: readonly AnyVerb[], format: PromptFormat, offered: readonly string[], named: readonly string[],
): AnyVerb[] {
  const isBesides = selectToolsets(offered.filter((name) => name !== VOCABULARY_OF[format]))
  return [...new Set([...selectPromptVerbs(callable, format, []), ...callable.filter((verb) => (
    isBesides(verb) || named.includes(verb.name)
  ))])]
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n')
}

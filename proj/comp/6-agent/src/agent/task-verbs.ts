import { hermesHome } from '../../../2-config/src/index.js'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { VOCABULARY_OF, selectToolsets, VerbRegistry } from '../../../1-registry/src/index.js'
import { findSkills, type Skill } from '../../../4-verb-session/src/index.js'
import { VERBS } from '../../../5-executor/src/index.js'
import { withConfirmedCommit } from './confirmed-commit.js'
import type { AgentOptions } from './loop-options.js'

/** What a model of a task is offered, and what it may call. */
export interface TaskVerbs {
  /** Of which the model is told; `undefined`: all there is. */
  offered: readonly string[] | undefined
  /** What else is called is unknown. */
  registry: VerbRegistry
  /** As which calls of other harnesses' tools run: whatever is not disabled. */
  mapped: VerbRegistry
  /** Of the verbs that the user's config brings: those that are not disabled. */
  ownVerbs: (verb: AnyVerb) => boolean
  /** Those there are, where they were looked for. */
  skills?: readonly Skill[]
}

/** Families of their own: they are other things than what is offered, not only other names for it. */
const FAMILIES = new Set(['terminal', 'context', 'skills', 'cron'])
/** No core tool changes a part of a file: without this one a model would write each anew. */
const BESIDES_CORE = 'edit_replace'

/**
 * The verbs of `enabledToolsets`; without them those of the style: core tools and `edit_replace`, or the vocabulary of
 * the blocks' format, with tools of MCP servers, with verbs of the user's config, and with skills where there are any.
 * A model that calls functions may call what it was offered: the registry has nothing else. In blocks every name for
 * the same may be written (contract section 3).
 *
 * @throws HermesError `INVALID_OPTION` for an unknown toolset
 */
export async function taskVerbs(
  { enabledToolsets, disabledToolsets = [], style = 'native', blocksFormat = 'sham', scheduler,
    confirmCommits = false }: AgentOptions,
  root: string,
): Promise<TaskVerbs> {
  const isDisabled = selectToolsets(disabledToolsets)
  const all = (await new VerbRegistry(VERBS).loadAll()).filter((verb) => !isDisabled(verb))
    .map((verb) => (confirmCommits ? withConfirmedCommit(verb) : verb))
  const registryOf = (verbs: typeof all): VerbRegistry => {
    const registry = new VerbRegistry([])
    for (const verb of verbs) registry.register(verb)
    return registry
  }
  const mapped = registryOf(all)
  const ownVerbs = (verb: AnyVerb): boolean => !isDisabled(verb)
  if (enabledToolsets) return { offered: enabledToolsets, registry: mapped, mapped, ownVerbs }
  const usual = style === 'native' ? 'core' : VOCABULARY_OF[blocksFormat]
  if (!all.some(({ vocabulary }) => vocabulary === usual)) {
    return { offered: undefined, registry: mapped, mapped, ownVerbs }
  }
  const { skills } = await findSkills({ root, home: hermesHome() })
  const offered = [usual, 'mcp', 'own', ...(skills.length > 0 ? ['skills'] : []), ...(scheduler ? ['cron'] : [])]
  const inToolset = selectToolsets(offered)
  const isOffered = (verb: AnyVerb): boolean => inToolset(verb) || (style === 'native' && verb.name === BESIDES_CORE)
  const isOther = (category: string): boolean => style === 'native' || FAMILIES.has(category)
  const registry = registryOf(all.filter((verb) => isOffered(verb) || !isOther(verb.category)))
  return { offered, registry, mapped, ownVerbs, skills }
}

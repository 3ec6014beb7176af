import { hermesHome } from '../../../2-config/src/index.js'
import type { AnyVerb } from '../../../0-contracts/src/index.js'
import { VOCABULARY_OF, selectToolsets, VerbRegistry } from '../../../1-registry/src/index.js'
import { findSkills, type Skill } from '../../../4-verb-session/src/index.js'
import { VERBS } from '../../../5-executor/src/index.js'
import { withConfirmedCommit } from './confirmed-commit.js'
import type { AgentOptions } from './loop-options.js'

/** Verbs of a task: those offered to the model, and those it may call. */
export interface TaskVerbs {
  /** Names of the toolsets offered; `undefined`: all. */
  offered: readonly string[] | undefined
  /** Verbs that can be called; others are unknown. */
  registry: VerbRegistry
  /** Verbs that calls of other harnesses' tools run as: all that are not disabled. */
  mapped: VerbRegistry
  /** Selects from the verbs that the user's config adds: those not disabled. */
  ownVerbs: (verb: AnyVerb) => boolean
  /** Names of verbs that run commands, in lower case. */
  commands: ReadonlySet<string>
  /** The available skills, if they were looked for. */
  skills?: readonly Skill[]
}

/** Categories of verbs without a counterpart in other vocabularies, so they are offered in addition. */
const FAMILIES = new Set(['terminal', 'context', 'skills', 'cron', 'delegate'])
/** No core tool edits part of a file: without this verb a model would rewrite whole files. */
const BESIDES_CORE = 'edit_replace'

/**
 * The verbs of `enabledToolsets`; by default those of the style: core tools and `edit_replace`, or the vocabulary of
 * the block format; and with either, tools of MCP servers, verbs of the user's config, and skills where there are any.
 * A model that calls functions may call only what it was offered: the registry has nothing else. In blocks the names of
 * every vocabulary may be used.
 *
 * @param allows whether a verb may be called at all; default: each may
 * @throws HermesError `INVALID_OPTION` for an unknown toolset
 */
export async function taskVerbs(
  { enabledToolsets, disabledToolsets = [], style = 'native', blocksFormat = 'sham', scheduler,
    confirmCommits = false, delegate }: AgentOptions,
  root: string, allows: (verb: AnyVerb) => boolean = () => true,
): Promise<TaskVerbs> {
  const isInDisabled = selectToolsets(disabledToolsets)
  const isDisabled = (verb: AnyVerb): boolean => isInDisabled(verb) || !allows(verb)
  const all = (await new VerbRegistry(VERBS).loadAll()).filter((verb) => !isDisabled(verb))
    .map((verb) => (confirmCommits ? withConfirmedCommit(verb) : verb))
  const registryOf = (verbs: typeof all): VerbRegistry => {
    const registry = new VerbRegistry([])
    for (const verb of verbs) registry.register(verb)
    return registry
  }
  const mapped = registryOf(all)
  const commands = new Set(
    all.filter(({ type }) => type === 'exec' || type === 'dynamic').map(({ name }) => name.toLowerCase()),
  )
  const ownVerbs = (verb: AnyVerb): boolean => !isDisabled(verb)
  const usual = style === 'native' ? 'core' : VOCABULARY_OF[blocksFormat]
  if (enabledToolsets || !all.some(({ vocabulary }) => vocabulary === usual)) {
    return { offered: enabledToolsets, registry: mapped, mapped, ownVerbs, commands }
  }
  const { skills } = await findSkills({ root, home: hermesHome() })
  const offered = [usual, 'mcp', 'own', ...(skills.length > 0 ? ['skills'] : []), ...(scheduler ? ['cron'] : []),
    ...(delegate === false ? [] : ['delegate'])]
  const inToolset = selectToolsets(offered)
  const isOffered = (verb: AnyVerb): boolean => inToolset(verb) || (style === 'native' && verb.name === BESIDES_CORE)
  const isOther = (category: string): boolean => style === 'native' || FAMILIES.has(category)
  const registry = registryOf(all.filter((verb) => isOffered(verb) || !isOther(verb.category)))
  return { offered, registry, mapped, ownVerbs, commands, skills }
}

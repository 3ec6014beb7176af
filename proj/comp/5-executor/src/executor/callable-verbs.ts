import type { AnyVerb, Policy } from '../../../0-contracts/src/index.js'
import type { VerbRegistry } from '../../../1-registry/src/index.js'
import { isOn } from './permissions.js'
import { DELEGATED, OUTSIDE_THE_STORE, SCHEDULED, USER_INTERACTION } from './run-block.js'
import { unmetRequirement } from './needs/requirements.js'
import type { Settings } from './settings.js'

/**
 * The verbs that are worth offering to a model: of the session's toolsets, not for users only, not switched off by the
 * policy, with what they need at hand, with somebody to answer where they ask, with a scheduler or delegates where they
 * need these, and in an atomic run none that acts outside the file store. Those that cannot be loaded are left out.
 * Whether a client's directories (`isNarrowed`) rule a verb out is checked only when it is called.
 */
export async function callableVerbs(registry: VerbRegistry, settings: Settings, policy: Policy): Promise<AnyVerb[]> {
  const { inToolset, atomic, hasUser, hasScheduler, hasDelegates } = settings
  const { verbs } = await registry.loadUsable()
  return verbs.filter((verb) => (
    verb.accessibility.includes('llm') && !unmetRequirement(verb, policy) && (!inToolset || inToolset(verb))
      && isOn(verb, policy)
    && (hasScheduler || verb.category !== SCHEDULED)
    && (hasDelegates || verb.category !== DELEGATED)
    && (hasUser || verb.category !== USER_INTERACTION) && (atomic !== true || !OUTSIDE_THE_STORE.has(verb.type))
  ))
}

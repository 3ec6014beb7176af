import { realpathSync } from 'node:fs'
import { unlessRefused, type AnyVerb, type Policy } from '../../../0-contracts/src/index.js'
import { loadPolicy } from '../../../2-config/src/index.js'
import { requireOn } from './permissions.js'
import { unmetRequirement, type Unmet } from './needs/requirements.js'

/**
 * The verbs that the policy files of a root switch on, or ask about.
 *
 * @param root an existing directory
 * @throws HermesError `INVALID_POLICY`, `POLICY_DENIED` where the root is outside of the user's `roots`
 */
export async function policyVerbs(verbs: readonly AnyVerb[], root: string): Promise<AnyVerb[]> {
  const policy = await policyOf(root)
  return verbs.filter((verb) => unlessRefused(() => {
    requireOn(verb, policy)
    return true
  }, false))
}

/**
 * A function that tells which requirement of a verb is unmet under a root's policy. @throws HermesError as
 * `policyVerbs`
 */
export async function unmetIn(root: string): Promise<(verb: AnyVerb) => Unmet | undefined> {
  const policy = await policyOf(root)
  return (verb) => unmetRequirement(verb, policy)
}

/** Of these verbs, those that are on and have what they require. @throws HermesError as `policyVerbs` */
export async function enabledVerbs(verbs: readonly AnyVerb[], root: string): Promise<AnyVerb[]> {
  const unmet = await unmetIn(root)
  return (await policyVerbs(verbs, root)).filter((verb) => !unmet(verb))
}

async function policyOf(root: string): Promise<Policy> {
  return (await loadPolicy({ root: realpathSync(root), policy: undefined, wishes: { limits: {} } })).policy
}

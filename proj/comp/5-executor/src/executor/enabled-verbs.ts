import { realpathSync } from 'node:fs'
import { HermesError, type AnyVerb, type Policy } from '../../../0-contracts/src/index.js'
import { loadPolicy } from '../../../2-config/src/index.js'
import { requireOn } from './permissions.js'
import { unmetRequirement } from './requirements.js'

/**
 * The verbs that the policy files of a root leave on, those that it asks about included.
 *
 * @param root an existing directory
 * @throws HermesError `INVALID_POLICY`, `POLICY_DENIED` where the root is outside of the user's `roots`
 */
export async function policyVerbs(verbs: readonly AnyVerb[], root: string): Promise<AnyVerb[]> {
  const { policy } = await loadPolicy({ root: realpathSync(root), policy: undefined, wishes: { limits: {} } })
  return verbs.filter((verb) => isOn(verb, policy))
}

/** Of these the verbs that have what they need. @throws HermesError as `policyVerbs` */
export async function enabledVerbs(verbs: readonly AnyVerb[], root: string): Promise<AnyVerb[]> {
  return (await policyVerbs(verbs, root)).filter((verb) => !unmetRequirement(verb))
}

function isOn(verb: AnyVerb, policy: Policy): boolean {
  try {
    requireOn(verb, policy)
    return true
  } catch (error) {
    if (error instanceof HermesError && error.code === 'POLICY_DENIED') return false
    throw error
  }
}
